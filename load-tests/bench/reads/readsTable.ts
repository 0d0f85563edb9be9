import { describeMachine, row, today } from '@hearth/testkit/figures/publish.ts';
import { median } from '@hearth/testkit/figures/statistics.ts';
import type { ReadResult } from './measureReads.ts';

/** Milliseconds that a read may cost in a library most of which is of one hour: what stands before a page by number is passed over there. */
const allowedInOneHour = 25;

const ratioOf = ({ ms, versionMs }: ReadResult): number => ms / versionMs;

/** Whether a read is held to `allowedInOneHour` instead of its multiple of `GET /version`: a page by number, deep in the library of one hour. */
const isHeldToTime = ({ library, question }: ReadResult): boolean =>
  library.includes('in one hour') && question.includes('at 90 %') && !question.includes('cursor');

/** The figures as Markdown: how many times `GET /version` each read costs in each library. */
export const readsTable = (results: readonly ReadResult[], rounds: number): string => {
  const libraries = [...new Set(results.map(({ library }) => library))];
  const questions = [...new Set(results.map(({ question }) => question))];
  const versionMs = median(results.map((result) => result.versionMs));
  return [
    `${today()}: median of ${rounds} requests by one client, as a multiple of \`GET /version\` (${versionMs.toFixed(2)} ms) beside it; ${describeMachine()}.`,
    '',
    row('', 'wanted', ...libraries),
    row('---', '---:', ...libraries.map(() => '---:')),
    ...questions.map((question) => {
      const cells = libraries.map((library) => {
        const result = results.find((one) => one.library === library && one.question === question);
        return result === undefined ? '' : cellOf(result);
      });
      return row(question, wanted(results.filter((one) => one.question === question)), ...cells);
    }),
  ].join('\n');
};

const cellOf = (result: ReadResult): string =>
  `${ratioOf(result).toFixed(1)} ×${isHeldToTime(result) ? ` (${result.ms.toFixed(1)} ms)` : ''}`;

/** The bounds to which `missedReads` holds the reads of one question. */
const wanted = (results: readonly ReadResult[]): string =>
  `≤ ${results[0]?.bound ?? NaN} ×${results.some(isHeldToTime) ? `, ≤ ${allowedInOneHour} ms in a full hour` : ''}`;

/** Every bound that was missed, as a sentence: by ratio to the version, and by growth from the first library to the others. */
export const missedReads = (results: readonly ReadResult[]): string[] =>
  results.flatMap((result) => {
    const smallest = results.find(({ question }) => question === result.question)!;
    const growth = ratioOf(result) / ratioOf(smallest);
    const about = `${result.question}, ${result.library}:`;
    if (isHeldToTime(result)) return result.ms > allowedInOneHour ? [`${about} ${result.ms.toFixed(1)} ms`] : [];
    return [
      ...(ratioOf(result) > result.bound ? [`${about} ${ratioOf(result).toFixed(1)} × GET /version`] : []),
      ...(growth > result.growth ? [`${about} ${growth.toFixed(1)} × the library of ${smallest.library}`] : []),
    ];
  });
