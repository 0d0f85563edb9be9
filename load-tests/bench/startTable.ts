import { describeMachine, today } from '@hearth/testkit/figures/publish.ts';

/** What a start may take: of the API, on a database that is there. */
export const startBounds = { seconds: 1, idleMegabytes: 200 } as const;

/** One program's figures, medians of all rounds but for the memory. */
export interface StartResult {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly idleMegabytes: number;
}

/** The figures as Markdown. */
export const startTable = (
  { express, api, embedded }: Readonly<Record<'express' | 'api' | 'embedded', StartResult>>,
  rounds: number,
): string =>
  [
    `${today()}: median of ${rounds} starts; ${describeMachine()}.`,
    '',
    '|  | wanted | bare Express | API | `npm start` on data that is there |',
    '| --- | ---: | ---: | ---: | ---: |',
    `| start to ready, which is its first answer of data | ≤ ${startBounds.seconds} s | ${s(express.seconds)} | ${s(api.seconds)} | ${s(embedded.seconds)} |`,
    `| CPU until then |  | ${s(express.cpuSeconds)} | ${s(api.cpuSeconds)} | ${s(embedded.cpuSeconds)} |`,
    `| memory of the process when idle (PSS) | ≤ ${startBounds.idleMegabytes} MB | ${mb(express.idleMegabytes)} | ${mb(api.idleMegabytes)} | ${mb(embedded.idleMegabytes)} |`,
  ].join('\n');

const s = (seconds: number): string => `${seconds.toFixed(2)} s`;
const mb = (megabytes: number): string => `${megabytes.toFixed(0)} MB`;
