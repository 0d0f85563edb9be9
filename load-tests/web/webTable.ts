import { describeMachine, renderRow, formatToday } from '@hearth/testkit/figures/publish.ts';
import { median } from '@hearth/testkit/figures/statistics.ts';
import type { WebMeasure, WebResult } from './measureWeb.ts';

/** A row of the table with its limit. */
interface Figure {
  readonly name: string;
  readonly bound: number | undefined;
  readonly of: (result: WebResult) => number;
  readonly write: (value: number) => string;
}

const ms = (value: number): string => `${Math.round(value)} ms`;
const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
const megabytes = (value: number): string => `${Math.round(value)} MB`;

const figures: readonly Figure[] = [
  {
    name: 'navigation to the first thumbnails, median',
    bound: undefined,
    of: ({ firstMs }) => median(firstMs),
    write: ms,
  },
  {
    name: 'navigation to the first thumbnails, slowest',
    bound: 1_500,
    of: ({ firstMs }) => Math.max(...firstMs),
    write: ms,
  },
  { name: 'scrubbing to a month, median', bound: undefined, of: ({ scrubMs }) => median(scrubMs), write: ms },
  { name: 'scrubbing to a month, slowest', bound: 500, of: ({ scrubMs }) => Math.max(...scrubMs), write: ms },
  { name: 'dropped frames while flinging', bound: 0.05, of: ({ droppedPart }) => droppedPart, write: percent },
  {
    name: 'dropped frames on an empty page',
    bound: undefined,
    of: ({ emptyDroppedPart }) => emptyDroppedPart,
    write: percent,
  },
  {
    name: 'memory of the tab afterwards',
    bound: 300,
    of: ({ memory }) => memory.shown,
    write: megabytes,
  },
  {
    name: 'memory of the tab on an empty page',
    bound: undefined,
    of: ({ emptyMemory }) => emptyMemory.shown,
    write: megabytes,
  },
  {
    name: 'memory of the tab with cached pictures (PSS)',
    bound: undefined,
    of: ({ memory }) => memory.pss,
    write: megabytes,
  },
  {
    name: 'memory of the tab on an empty page (PSS)',
    bound: undefined,
    of: ({ emptyMemory }) => emptyMemory.pss,
    write: megabytes,
  },
  { name: 'cumulative layout shift', bound: 0.02, of: ({ shift }) => shift, write: (value) => value.toFixed(3) },
];

/** Renders the figures as Markdown. */
export const webTable = (
  results: readonly WebResult[],
  { slowdown, flingSeconds, navigations, presses }: WebMeasure,
): string =>
  [
    `${formatToday()}: headless Chromium with ${slowdown} × CPU throttling, 1440 × 900 pixels; ${navigations} navigations with an empty cache, ${presses} presses on the scrubber, ${flingSeconds} s of flinging; ${describeMachine()}.`,
    '',
    renderRow('', 'target', ...results.map(({ library }) => library)),
    renderRow('---', '---:', ...results.map(() => '---:')),
    ...figures.map(({ name, bound, of, write }) =>
      renderRow(name, bound === undefined ? '' : `≤ ${write(bound)}`, ...results.map((result) => write(of(result)))),
    ),
  ].join('\n');

/** Returns a message for each missed bound. */
export const missedInWeb = (results: readonly WebResult[]): string[] =>
  results.flatMap((result) =>
    figures
      .filter(({ bound, of }) => bound !== undefined && of(result) > bound)
      .map(({ name, of, write }) => `${name}, ${result.library}: ${write(of(result))}`),
  );
