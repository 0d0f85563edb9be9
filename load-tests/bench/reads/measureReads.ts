import { median, quantile } from '@hearth/testkit/figures/statistics.ts';
import { requestOnce } from './requestOnce.ts';
import type { ReadCase, Reader } from './readPaths.ts';

/** Results of one kind of read in one library, in ms. `ms` is the median. */
export interface ReadResult {
  readonly library: string;
  readonly readCase: string;
  /** Limit of `ms`, as a multiple of `versionMs`. */
  readonly bound: number;
  /** Limit of the ratio `ms / versionMs`, as a multiple of the same ratio in the smallest library. */
  readonly growth: number;
  readonly ms: number;
  readonly p95Ms: number;
  /** Median of `GET /version` in the same rounds. */
  readonly versionMs: number;
}

const warmUpRounds = 10;

/**
 * Measures every case in every library in turn, each time paired with `GET /version`, so that other load affects
 * both.
 */
export const measureReads = async (
  readers: readonly (Reader & { readonly name: string })[],
  rounds: number,
  cases: readonly ReadCase[],
): Promise<ReadResult[]> => {
  const results: ReadResult[] = [];
  for (const readCase of cases) {
    const measuredReads = [];
    for (const reader of readers) {
      measuredReads.push({
        reader,
        paths: await findNonEmptyPaths(reader, readCase),
        ms: times(),
        versionMs: times(),
      });
    }
    for (let round = 0; round < warmUpRounds + rounds; round++) {
      for (const { reader, paths, ms, versionMs } of measuredReads) {
        const path = paths[round % paths.length];
        if (path === undefined) continue;
        const version = await requestOnce(new URL('/version', reader.url));
        const response = await requestOnce(new URL(path, reader.url), reader.token);
        if (round < warmUpRounds) continue;
        versionMs.push(version.ms);
        ms.push(response.ms);
      }
    }
    results.push(...measuredReads.filter(({ ms }) => ms.length > 0).map((subject) => toResult(readCase, subject)));
  }
  return results;
};

/**
 * Returns the paths with a non-empty response, because empty responses would measure nothing. Cold cases are not requested
 * beforehand, so all their paths stay.
 */
const findNonEmptyPaths = async (reader: Reader, readCase: ReadCase): Promise<string[]> => {
  const paths = await readCase.paths(reader);
  if (readCase.isCold === true) return [...paths];
  const filled: string[] = [];
  for (const path of paths) {
    const { text } = await requestOnce(new URL(path, reader.url), reader.token);
    if (text !== '[]' || readCase.mayBeEmpty === true) filled.push(path);
  }
  return filled;
};

const times = (): number[] => [];

const toResult = (
  { name, bound, growth = 2 }: ReadCase,
  {
    reader,
    ms,
    versionMs,
  }: { readonly reader: { readonly name: string }; readonly ms: number[]; readonly versionMs: number[] },
): ReadResult => ({
  library: reader.name,
  readCase: name,
  bound,
  growth,
  ms: median(ms),
  p95Ms: quantile(ms, 0.95),
  versionMs: median(versionMs),
});
