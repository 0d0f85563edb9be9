import { describeMachine, renderRow, formatToday } from '@hearth/testkit/figures/publish.ts';
import { median } from '@hearth/testkit/figures/statistics.ts';
import type { ReadResult } from './measureReads.ts';

/**
 * Limit in ms for a deep page by number in the library uploaded mostly within one hour. Such a page has to skip all
 * rows before it.
 */
const maxMsInOneHour = 25;

/** Number of rows in the table. The chart and the table list the reads that come closest to their bounds. */
const publishedRows = 20;

const getRatio = ({ ms, versionMs }: ReadResult): number => ms / versionMs;

/** Returns true if `maxMsInOneHour` applies instead of the multiple of `GET /version`. */
const hasTimeLimit = ({ library, readCase }: ReadResult): boolean =>
  library.includes('in one hour') && readCase.includes('at 90 %') && !readCase.includes('cursor');

/** Returns the fraction of the bound that a read needs. */
const getBoundShare = (result: ReadResult): number =>
  hasTimeLimit(result) ? result.ms / maxMsInOneHour : getRatio(result) / result.bound;

/** Returns the cases that come closest to their bounds in any library, in their usual order. */
const chooseCases = (results: readonly ReadResult[], cases: readonly string[]): readonly string[] => {
  const highest = (readCase: string): number =>
    Math.max(...results.filter((one) => one.readCase === readCase).map(getBoundShare));
  const closest = new Set(cases.toSorted((one, other) => highest(other) - highest(one)).slice(0, publishedRows));
  return cases.filter((readCase) => closest.has(readCase));
};

/** Renders a Markdown table: one column per library size, and one with the maximum of all other libraries. */
export const readsTable = (results: readonly ReadResult[], rounds: number): string => {
  const libraries = [...new Set(results.map(({ library }) => library))];
  const sizes = libraries.filter((library) => /^[\d,]+$/.test(library));
  const others = libraries.filter((library) => !sizes.includes(library));
  const columns = [...sizes.map((size) => [size]), ...(others.length > 0 ? [others] : [])];
  const cases = [...new Set(results.map(({ readCase }) => readCase))];
  const versionMs = median(results.map((result) => result.versionMs));
  return [
    `${formatToday()}: median of ${rounds} requests by one client, as a multiple of \`GET /version\` (${versionMs.toFixed(2)} ms) in the same run; ${describeMachine()}.`,
    '',
    ...(others.length > 0 ? [`Other libraries: ${others.join('; ')}.`, ''] : []),
    ...(results.some(hasTimeLimit)
      ? [`Deep pages may take ${maxMsInOneHour} ms in a library with most items in one hour.`, '']
      : []),
    ...(cases.length > publishedRows
      ? [`The ${publishedRows} of ${cases.length} reads that come closest to their bounds:`, '']
      : []),
    renderRow('', 'target', ...sizes, ...(others.length > 0 ? ['highest of the others'] : [])),
    renderRow('---', '---:', ...columns.map(() => '---:')),
    ...chooseCases(results, cases).map((readCase) => {
      const caseResults = results.filter((one) => one.readCase === readCase);
      const cells = columns.map((names) => {
        const [highest] = caseResults
          .filter(({ library }) => names.includes(library))
          .toSorted((a, b) => getRatio(b) - getRatio(a));
        return highest === undefined ? '' : toCell(highest);
      });
      return renderRow(readCase, getLimit(caseResults), ...cells);
    }),
  ].join('\n');
};

const toCell = (result: ReadResult): string =>
  `${getRatio(result).toFixed(1)} ×${hasTimeLimit(result) ? ` (${result.ms.toFixed(1)} ms)` : ''}`;

/** Formats the bounds of one case. */
const getLimit = (results: readonly ReadResult[]): string =>
  `≤ ${results[0]?.bound ?? NaN} ×${results.some(hasTimeLimit) ? ` or ${maxMsInOneHour} ms` : ''}`;

/**
 * Returns a message for each missed bound. A result has either the limit in ms, or limits for its ratio to
 * `GET /version` and for the growth of this ratio relative to the smallest library.
 */
export const missedReads = (results: readonly ReadResult[]): string[] =>
  results.flatMap((result) => {
    const smallest = results.find(({ readCase }) => readCase === result.readCase)!;
    const growth = getRatio(result) / getRatio(smallest);
    const subject = `${result.readCase}, ${result.library}:`;
    if (hasTimeLimit(result)) return result.ms > maxMsInOneHour ? [`${subject} ${result.ms.toFixed(1)} ms`] : [];
    return [
      ...(getRatio(result) > result.bound ? [`${subject} ${getRatio(result).toFixed(1)} × GET /version`] : []),
      ...(growth > result.growth ? [`${subject} ${growth.toFixed(1)} × the library of ${smallest.library}`] : []),
    ];
  });
