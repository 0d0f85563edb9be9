import { startTestServer } from '@hearth/testkit/database/postgres.ts';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { backEnds } from './backEnds.ts';

/**
 * Global setup of `node --test`: starts the servers shared by a run's test files and puts their addresses into the
 * environment. Each test creates its own database and bucket. The servers stop with this process.
 */
export const globalSetup = async (): Promise<void> => {
  const { kind, database } = backEnds[process.env['HEARTH_TEST_ON'] ?? 'embedded']!;
  const postgres = await startTestServer(database === 'embedded' ? {} : { programs: toolPath(database) });
  Object.assign(process.env, { HEARTH_TEST_BACK_ENDS: kind, HEARTH_TEST_DATABASE_URL: postgres.url });
  if (kind === 'embedded') return;
  const [redis, s3] = await Promise.all([startTestRedis(), startTestS3()]);
  Object.assign(process.env, {
    HEARTH_TEST_REDIS_URL: redis.url,
    HEARTH_TEST_S3_ENDPOINT: s3.endpoint,
    HEARTH_TEST_S3_ACCESS_KEY: s3.accessKey,
    HEARTH_TEST_S3_SECRET_KEY: s3.secretKey,
  });
};
