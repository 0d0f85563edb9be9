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
    name: 'the same on an empty page',
    bound: undefined,
    of: ({ emptyDroppedPart }) => emptyDroppedPart,
    write: percent,
  },
  {
    name: 'memory that Chromium shows for the tab after it',
    bound: 300,
    of: ({ memory }) => memory.shown,
    write: megabytes,
  },
  { name: 'the same of an empty page', bound: undefined, of: ({ emptyMemory }) => emptyMemory.shown, write: megabytes },
  {
    name: 'with decoded pictures kept for later (PSS)',
    bound: undefined,
    of: ({ memory }) => memory.pss,
    write: megabytes,
  },
  {
    name: 'the same of an empty page (PSS)',
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
    `${formatToday()}: Chromium without a window, its processor slowed down ${slowdown} times, 1440 × 900 pixels; ${navigations} navigations with an empty cache, ${presses} presses on the scrubber, ${flingSeconds} s of flinging; ${describeMachine()}.`,
    '',
    renderRow('', 'wanted', ...results.map(({ library }) => library)),
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
