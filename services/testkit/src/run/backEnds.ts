import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { S3Server } from '../servers/s3Server.ts';

/*
 * Back ends of this test run. `scripts/runTests.ts` sets HEARTH_TEST_BACK_ENDS, and starts the servers for all test files.
 * A test file that runs alone starts the servers that it needs.
 */
// oxlint-disable-next-line node/no-process-env -- not configuration of Hearth: the test runner passes its servers to the test files
const env = process.env;

/** True if this test run uses Redis and S3 for queues and objects, instead of the database and a folder. */
export const isOnCluster = env['HEARTH_TEST_BACK_ENDS'] === 'cluster';

/** A queue and an object store for one test. */
export interface TestBackEnds {
  /** Environment variables for a process. Empty for the embedded back ends. */
  readonly variables: Readonly<Record<string, string>>;
  /** Returns the names of unfinished writes to the store. */
  listUnfinished(dataDirectory: string): Promise<string[]>;
  /** Deletes the data of the test. Close everything that uses the back ends first. */
  remove(): Promise<void>;
}

/** Creates an empty Redis database and a bucket, or nothing for the embedded back ends. */
export const createTestBackEnds = async (): Promise<TestBackEnds> => {
  if (!isOnCluster) {
    return {
      variables: {},
      listUnfinished: (dataDirectory) => readdir(join(dataDirectory, 'objects', '.unfinished')),
      remove: async () => undefined,
    };
  }
  // Imported here, because most test files use the embedded back ends, and loading the S3 client takes 0.15 s of CPU time.
  const { createTestBucket } = await import('../servers/s3Server.ts');
  const [redis, bucket] = await Promise.all([createRedisDatabase(), createTestBucket(await findS3Server())]);
  return {
    variables: {
      HEARTH_REDIS_URL: redis.url,
      HEARTH_S3_ENDPOINT: bucket.settings.endpoint,
      HEARTH_S3_BUCKET: bucket.settings.bucket,
      HEARTH_S3_ACCESS_KEY: bucket.settings.accessKey,
      HEARTH_S3_SECRET_KEY: bucket.settings.secretKey,
      HEARTH_S3_CAPACITY_BYTES: '1000000000000',
    },
    listUnfinished: () => bucket.listUnfinished(),
    remove: async () => {
      await Promise.all([redis.remove(), bucket.remove()]);
    },
  };
};

const startRedis = async (): Promise<{ url: string }> => (await import('../servers/redis.ts')).startTestRedis();

const startS3 = async (): Promise<S3Server> => (await import('../servers/s3Server.ts')).startTestS3();

let ownRedis: Promise<{ url: string }> | undefined;
let ownS3: Promise<S3Server> | undefined;

const findRedis = async (): Promise<string> => env['HEARTH_TEST_REDIS_URL'] ?? (await (ownRedis ??= startRedis())).url;

const findS3Server = async (): Promise<S3Server> => {
  const endpoint = env['HEARTH_TEST_S3_ENDPOINT'];
  if (endpoint === undefined) return (ownS3 ??= startS3());
  return {
    endpoint,
    accessKey: env['HEARTH_TEST_S3_ACCESS_KEY'] ?? '',
    secretKey: env['HEARTH_TEST_S3_SECRET_KEY'] ?? '',
  };
};

/** Returns an unused numbered database of the Redis server. Database 0 holds the counter. */
const createRedisDatabase = async (): Promise<{ url: string; remove: () => Promise<void> }> => {
  const server = await findRedis();
  const url = new URL(server);
  url.pathname = `/${await withRedis(server, (redis) => redis.incr('last-test-database'))}`;
  return {
    url: url.href,
    remove: () => withRedis(url.href, async (redis) => void (await redis.flushdb())),
  };
};

const withRedis = async <Result>(url: string, work: (redis: Redis) => Promise<Result>): Promise<Result> => {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
};
