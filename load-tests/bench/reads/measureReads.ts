import { median, quantile } from '@hearth/testkit/figures/statistics.ts';
import { askOnce } from './askOnce.ts';
import type { Question, Reader } from './questionAddresses.ts';

/** Medians of one kind of read in one library, in milliseconds. */
export interface ReadResult {
  readonly library: string;
  readonly question: string;
  /** How many times `GET /version` it may cost. */
  readonly bound: number;
  /** How many times its median in the smallest library it may cost. */
  readonly growth: number;
  readonly ms: number;
  readonly p95Ms: number;
  /** The median of `GET /version` in the same rounds. */
  readonly versionMs: number;
}

const warmUpRounds = 10;

/** Asks every question of every library in turns, each time beside `GET /version`, so that what else the machine does falls on both. */
export const measureReads = async (
  readers: readonly (Reader & { readonly name: string })[],
  rounds: number,
  questions: readonly Question[],
): Promise<ReadResult[]> => {
  const results: ReadResult[] = [];
  for (const question of questions) {
    const subjects = [];
    for (const reader of readers) {
      subjects.push({ reader, paths: await findFilled(reader, question), ms: times(), versionMs: times() });
    }
    for (let round = 0; round < warmUpRounds + rounds; round++) {
      for (const { reader, paths, ms, versionMs } of subjects) {
        const path = paths[round % paths.length];
        if (path === undefined) continue;
        const version = await askOnce(new URL('/version', reader.url));
        const answer = await askOnce(new URL(path, reader.url), reader.token);
        if (round < warmUpRounds) continue;
        versionMs.push(version.ms);
        ms.push(answer.ms);
      }
    }
    results.push(...subjects.filter(({ ms }) => ms.length > 0).map((subject) => resultOf(question, subject)));
  }
  return results;
};

/** The addresses whose answers are not empty. An empty answer would measure nothing. */
const findFilled = async (reader: Reader, question: Question): Promise<string[]> => {
  const paths = await question.paths(reader);
  if (question.isFresh === true) return [...paths];
  const filled: string[] = [];
  for (const path of paths) {
    const { text } = await askOnce(new URL(path, reader.url), reader.token);
    if (text !== '[]' || question.mayBeEmpty === true) filled.push(path);
  }
  return filled;
};

const times = (): number[] => [];

const resultOf = (
  { name, bound, growth = 2 }: Question,
  {
    reader,
    ms,
    versionMs,
  }: { readonly reader: { readonly name: string }; readonly ms: number[]; readonly versionMs: number[] },
): ReadResult => ({
  library: reader.name,
  question: name,
  bound,
  growth,
  ms: median(ms),
  p95Ms: quantile(ms, 0.95),
  versionMs: median(versionMs),
});
