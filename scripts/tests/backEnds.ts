import type { ToolName } from '@hearth/testkit/run/tools.ts';

/** Back ends that the whole suite runs on. */
export interface TestBackEndsRecipe {
  readonly name: string;
  readonly description: string;
  /** What `HEARTH_TEST_BACK_ENDS` says to the test files. */
  readonly kind: 'embedded' | 'cluster';
  /** Whose PostgreSQL it is. */
  readonly database: 'embedded' | 'postgres-plain' | 'postgres-pgvector';
  /** What is installed first. A cluster needs all of it; with embedded back ends, tests that miss a tool are skipped. */
  readonly tools: readonly ToolName[];
}

/** Everything that `--on` can name, in the order of `--on all`. */
export const backEndsToTest = [
  {
    name: 'embedded',
    description: 'the embedded PostgreSQL, queue in it, files in a folder',
    kind: 'embedded',
    database: 'embedded',
    tools: [
      'redis-server',
      'versitygw',
      'radosgw',
      'postgres-plain',
      'postgres-pgvector',
      'pgbouncer',
      'chromium',
      'bwrap',
      'helm',
      'kubeconform',
      'kubernetes-schemas',
      'helm-docs',
      'actionlint',
      'zizmor',
      'oasdiff',
      'prometheus',
      'k6',
      'python-onnxruntime',
      'places',
    ],
  },
  {
    name: 'cluster',
    description: 'PostgreSQL without pgvector, Redis, S3',
    kind: 'cluster',
    database: 'postgres-plain',
    tools: ['redis-server', 'versitygw', 'postgres-plain'],
  },
  {
    name: 'cluster-pgvector',
    description: 'PostgreSQL with pgvector, Redis, S3',
    kind: 'cluster',
    database: 'postgres-pgvector',
    tools: ['redis-server', 'versitygw', 'postgres-pgvector'],
  },
] as const satisfies readonly TestBackEndsRecipe[];

/** Test files, by what their path begins with, that run with the embedded back ends only, since nothing of them changes with others. */
const testedOnce: readonly { readonly path: string; readonly reason: string }[] = [
  { path: 'services/contract/', reason: 'has no back end' },
  { path: 'services/inference/', reason: 'has no back end' },
  { path: 'services/core/src/objects/', reason: 'the conformance suites open every store themselves' },
  { path: 'services/core/src/queue/', reason: 'the conformance suites open every queue themselves' },
  { path: 'services/testkit/', reason: 'is about the servers for tests' },
  { path: 'services/api/src/embedded/', reason: 'is about npm start' },
  { path: 'services/worker/src/media/', reason: 'decodes files and has no back end' },
  { path: 'services/worker/src/places/', reason: 'has no back end' },
  { path: 'operators/', reason: 'starts every server itself' },
  { path: 'load-tests/k6/', reason: 'starts Hearth as npm start does' },
  { path: 'tests/cluster/', reason: 'installs the chart, which brings them' },
  { path: 'tests/media/', reason: 'starts Hearth as npm start does' },
  { path: 'tests/monitoring/', reason: 'starts Hearth as npm start does' },
  { path: 'tests/phone/', reason: 'starts Hearth as npm start does' },
  { path: 'tests/faults/drill', reason: 'starts Hearth in every way itself' },
  { path: 'tests/faults/poison', reason: 'starts Hearth as npm start does' },
  { path: 'tests/faults/pooler', reason: 'starts a PgBouncer of its own' },
  { path: 'tests/faults/redisAway', reason: 'starts a Redis of its own' },
  { path: 'tests/faults/restart', reason: 'starts Hearth as npm start does' },
  { path: 'tests/faults/workerKiller', reason: 'starts Hearth as npm start does' },
  { path: 'scripts/', reason: 'is about this checkout' },
  { path: 'docs/', reason: 'is about this checkout' },
  { path: 'charts/', reason: 'renders the chart' },
];

/** Whether a test file has something to say on back ends of this kind. */
export const isTestedOn = (kind: TestBackEndsRecipe['kind'], file: string): boolean =>
  kind === 'embedded' || !testedOnce.some(({ path }) => file.startsWith(path));
