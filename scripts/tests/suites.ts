/** A set of test files for `npm test -- --suite NAME`. */
export interface Suite {
  readonly name: string;
  readonly has: (file: string) => boolean;
  /** Concurrent test files per core. */
  readonly filesPerCore: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Excluded from `--suite all`. */
  readonly isApart?: boolean;
}

/** Returns the suite of a test file, from its suffix or else its folder. */
export const getSuite = (file: string): string => {
  if (file.endsWith('.cluster.test.ts')) return 'cluster';
  if (file.endsWith('.fault.test.ts')) return 'faults';
  if (file.endsWith('.slow.test.ts')) return 'slow';
  if (/^(services\/web\/e2e|tests\/(stories|reference))\//.test(file)) return 'stories';
  if (file.startsWith('operators/')) return 'operator';
  if (file.startsWith('charts/')) return 'chart';
  return /^(docs|scripts)\//.test(file) ? 'docs' : 'tests';
};

const has =
  (name: string) =>
  (file: string): boolean =>
    getSuite(file) === name;

/**
 * All suites in the order of `--suite all`. Files with browsers, models or time measurements run with fewer in
 * parallel. Cluster files run one at a time, because each fills the node.
 */
export const suites: readonly Suite[] = [
  { name: 'tests', has: has('tests'), filesPerCore: 3 },
  ...['operator', 'chart', 'docs'].map((name) => ({ name, has: has(name), filesPerCore: 3 })),
  { name: 'stories', has: has('stories'), filesPerCore: 2 },
  { name: 'slow', has: has('slow'), filesPerCore: 2 },
  { name: 'faults', has: has('faults'), filesPerCore: 3 },
  {
    name: 'without-data',
    has: has('tests'),
    filesPerCore: 3,
    env: { HEARTH_TEST_DATA: '/nonexistent', HEARTH_REQUIRE_TOOLS: '' },
  },
  { name: 'cluster', has: has('cluster'), filesPerCore: 1, isApart: true },
];
