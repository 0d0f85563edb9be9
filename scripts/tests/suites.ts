/** Some of the test files, run together. */
export interface Suite {
  readonly name: 'tests' | 'faults';
  readonly has: (file: string) => boolean;
  /** How many run at once: most of them wait most of the time, and those that measure how long something takes wait for fewer others. */
  readonly filesPerCore: number;
}

/** Test files, by what their path begins with, that `npm run test:faults` runs and `npm test` leaves out. */
const faultSuites: readonly { readonly path: string; readonly reason: string }[] = [
  { path: 'load-tests/', reason: 'starts, kills and starves whole installations' },
  { path: 'operators/queue-scaler/src/handOver', reason: 'waits for leases of the real operator to run out' },
  { path: 'operators/queue-scaler/src/misbehav', reason: 'waits for what the real operator gives up' },
  { path: 'operators/queue-scaler/src/refusals', reason: 'waits for what the real operator tries again' },
  { path: 'services/worker/src/media/mediaSet', reason: 'decodes the whole media set' },
  { path: 'services/worker/src/media/metadataSet', reason: 'reads the whole media set' },
];

const isFaultSuite = (file: string): boolean => faultSuites.some(({ path }) => file.startsWith(path));

/** Everything that `--suite` can name, in the order of `--suite all`, which is what `.ci/run` runs. */
export const suites: readonly Suite[] = [
  { name: 'tests', has: (file) => !isFaultSuite(file), filesPerCore: 3 },
  { name: 'faults', has: isFaultSuite, filesPerCore: 2 },
];

/**
 * The files that take longest, longest first, as `npm test` lists them at its end. They begin first, so that none of them is left to run alone; one
 * that is missing here costs time only.
 */
export const slowFiles: readonly string[] = [];

/** The slow ones first, the others in the order of their paths. */
export const longestFirst = (files: readonly string[]): string[] => {
  const place = new Map(slowFiles.map((file, index) => [file, index]));
  return files.toSorted((a, b) => (place.get(a) ?? Infinity) - (place.get(b) ?? Infinity) || (a < b ? -1 : 1));
};
