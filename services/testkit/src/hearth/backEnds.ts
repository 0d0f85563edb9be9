import type { Query } from '../run/actsLog.ts';
import { createTestBackEnds } from '../run/backEnds.ts';
import { createMigratedDatabase, type MigratedDatabase } from '../database/migratedDatabase.ts';
import { makeReconnectingQuery, startTestServer } from '../database/postgres.ts';
import { startTestRedis, type TestRedis } from '../servers/redis.ts';
import { startTestS3, type S3Server, type TestS3 } from '../servers/s3Server.ts';

/** A migrated database and the other back ends of a test. */
export interface RunBackEnds {
  readonly database: MigratedDatabase;
  readonly query: Query;
  /** Environment variables for the back ends other than the database. Empty for embedded back ends. */
  readonly variables: Readonly<Record<string, string>>;
  readonly redisUrl: string | undefined;
  remove(): Promise<void>;
}

/** Creates back ends for one test, on the servers of the test run. */
export const createRunBackEnds = async (): Promise<RunBackEnds> => {
  const [database, backEnds] = await Promise.all([createMigratedDatabase(), createTestBackEnds()]);
  return {
    database,
    query: makeQuery(database.url),
    variables: backEnds.variables,
    redisUrl: backEnds.variables['HEARTH_REDIS_URL'],
    remove: async () => void (await Promise.all([database.drop(), backEnds.remove()])),
  };
};

/** Servers of a cluster, for tests that break them. */
export interface ClusterBackEnds {
  readonly databaseUrl: string;
  readonly query: Query;
  readonly redis: TestRedis;
  readonly s3: TestS3;
  /** Environment variables for Redis and the bucket. */
  readonly variables: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export const bucket = 'hearth';

/** Starts a PostgreSQL, a Redis and an S3 server. */
export const startBackEnds = async ({
  isDurable = false,
  redisArgs = [],
}: {
  /** True if PostgreSQL syncs writes to disk. */
  readonly isDurable?: boolean;
  readonly redisArgs?: readonly string[];
}): Promise<ClusterBackEnds> => {
  const [{ url: databaseUrl }, redis, s3] = await Promise.all([
    startTestServer({ isDurable }),
    startTestRedis({ args: redisArgs }),
    startTestS3(),
  ]);
  return {
    databaseUrl,
    query: makeQuery(databaseUrl),
    redis,
    s3,
    variables: { HEARTH_REDIS_URL: redis.url, ...s3Variables(s3) },
    stop: async () => void (await Promise.all([redis.stop(), s3.stop()])),
  };
};

/** Returns the environment variables for the bucket of an S3 server. */
export const s3Variables = ({ endpoint, accessKey, secretKey }: S3Server): Readonly<Record<string, string>> => ({
  HEARTH_S3_ENDPOINT: endpoint,
  HEARTH_S3_BUCKET: bucket,
  HEARTH_S3_ACCESS_KEY: accessKey,
  HEARTH_S3_SECRET_KEY: secretKey,
});

/** Returns a function that queries the database. Each query may use another connection. */
export const makeQuery = (databaseUrl: string): Query => makeReconnectingQuery(async () => databaseUrl);
