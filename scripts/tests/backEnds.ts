import type { ToolName } from '@hearth/testkit/run/tools.ts';

/** Back ends that tests run on: the value of HEARTH_TEST_BACK_ENDS, and the PostgreSQL programs. */
export interface TestBackEnds {
  readonly kind: 'embedded' | 'cluster';
  readonly database: 'embedded' | Extract<ToolName, `postgres-${string}`>;
}

/** The values of `--on`. */
export const backEnds: Readonly<Record<string, TestBackEnds>> = {
  embedded: { kind: 'embedded', database: 'embedded' },
  /** PostgreSQL 15 without pgvector, Redis and S3. */
  cluster: { kind: 'cluster', database: 'postgres-plain' },
  'cluster-pgvector': { kind: 'cluster', database: 'postgres-pgvector' },
};

const needBackEnds =
  /^(services\/(api\/src\/(?!embedded)|core\/src\/(?!objects|queue)|worker\/src\/(?!media|places))|tests\/(stories|faults)\/)/;

/**
 * Returns true for test files that use the database, queue or object store of `--on`. Others start their own servers or
 * need none.
 */
export const needsBackEnds = (file: string): boolean => needBackEnds.test(file);
