import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { startTestServer } from '@hearth/testkit/database/postgres.ts';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import type { TestBackEndsRecipe } from './backEnds.ts';

/**
 * Starts the servers that all test files of a run share, each of which makes a database and a bucket of its own there, and answers the
 * environment by which they find them. The servers end with this process.
 */
export const startServers = async ({ kind, database }: TestBackEndsRecipe): Promise<Record<string, string>> => {
  const postgres = await startTestServer(database === 'embedded' ? {} : { programs: toolPath(database) });
  const variables = { HEARTH_TEST_BACK_ENDS: kind, HEARTH_TEST_DATABASE_URL: postgres.url };
  if (kind === 'embedded') return variables;
  const [redis, s3] = await Promise.all([startTestRedis(), startTestS3()]);
  return {
    ...variables,
    HEARTH_TEST_REDIS_URL: redis.url,
    HEARTH_TEST_S3_ENDPOINT: s3.endpoint,
    HEARTH_TEST_S3_ACCESS_KEY: s3.accessKey,
    HEARTH_TEST_S3_SECRET_KEY: s3.secretKey,
  };
};
