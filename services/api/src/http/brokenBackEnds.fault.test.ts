import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '@hearth/core/db/migrate.ts';
import { freezePostgres } from '@hearth/testkit/database/frozenPostgres.ts';
import { startInstallation } from '@hearth/testkit/servers/installation.ts';
import type { SupervisedServer } from '@hearth/testkit/servers/supervisedServer.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { createTestDatabase, startTestServer } from '@hearth/testkit/database/postgres.ts';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { createClient, fetchLink } from '@hearth/testkit/api/client.ts';
import { fileUpload } from '@hearth/testkit/api/multipart.ts';
import { toBasicAuth, startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto, signUp, type TestUser } from '@hearth/testkit/api/testUser.ts';

test('responds with 503 while all PostgreSQL processes are stopped, and recovers when they continue', async () => {
  const { url } = await startTestServer();
  await migrate(url);
  const api = await startTestApi({ isMigrated: false, config: { databaseUrl: url, databaseDirectUrl: url } });
  const { call, uploadPhoto } = await api.signUp();
  const id = await uploadPhoto();
  for (let round = 0; round < 2; round++) {
    const thaw = await freezePostgres(url);
    const responses = await Promise.all([
      call('listMediaItems'),
      call('getMediaItem', { params: { id } }),
      call('uploadMediaItem', fileUpload(await makeNextPhoto())),
      call('watchEvents'),
      api.call('getReadiness'),
    ]);
    for (const { status, error } of responses) assert.deepEqual([status, error.code], [503, 'UNAVAILABLE']);
    assert.equal((await api.call('getLiveness')).status, 200);
    thaw();
    assert.equal((await call('listMediaItems')).body.length, round + 1);
    await uploadPhoto();
  }
  await api.stop();
});

const listStatuses = async ({ call }: TestUser): Promise<string[]> =>
  (await call('listMediaItems', { query: { limit: 200 } })).body.map(({ status }) => status);

const listFailures = (server: SupervisedServer) =>
  [
    ['killed', () => server.kill(), () => server.restart()],
    ['frozen', () => server.freeze(), () => server.thaw()],
  ] as const;

const waitUntilAllReady = async (user: TestUser): Promise<void> => {
  await waitUntil('every item is ready', async () => (await listStatuses(user)).every((status) => status === 'READY'));
};

suite('with Redis and S3', { skip: missingTool('redis-server', 'versitygw') }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-broken-back-ends-'));
  const [database, redis, s3] = await Promise.all([createTestDatabase(), startTestRedis(), startTestS3()]);
  const { url, admin, stop } = await startInstallation({
    directory,
    databaseUrl: database.url,
    apis: 1,
    workers: 1,
    env: {
      HEARTH_REDIS_URL: redis.url,
      HEARTH_S3_ENDPOINT: s3.endpoint,
      HEARTH_S3_ACCESS_KEY: s3.accessKey,
      HEARTH_S3_SECRET_KEY: s3.secretKey,
    },
  });
  after(async () => {
    await stop();
    await Promise.all([redis.stop(), s3.stop(), database.drop()]);
    await rm(directory, { recursive: true });
  });
  const anonymous = createClient(url);
  const user = await signUp(url, createClient(url, toBasicAuth(admin)));

  for (const [state, interrupt, restore] of listFailures(redis)) {
    test(`accepts uploads and is ready while Redis is ${state}, and processes all of them when it is back`, async () => {
      await user.uploadPhoto();
      await interrupt();
      for (let n = 0; n < 5; n++) await user.uploadPhoto();
      // Longer than any enqueue waits, so that only the sweeper can find these.
      await delay(6_000);
      assert.equal((await anonymous('getReadiness')).status, 200);
      assert.equal((await anonymous('getLiveness')).status, 200);
      await restore();
      await waitUntilAllReady(user);
    });
  }

  for (const [state, interrupt, restore] of listFailures(s3)) {
    test(`returns 503 only where the store is needed while it is ${state}, and recovers when it is back`, async () => {
      const id = await user.uploadPhoto();
      await waitUntilAllReady(user);
      const { sourceUrl } = (await user.call('getMediaItem', { params: { id } })).body;
      const { length } = await listStatuses(user);
      await interrupt();
      const [upload, link, list, ready, alive] = await Promise.all([
        user.call('uploadMediaItem', fileUpload(await makeNextPhoto())),
        fetchLink(url, sourceUrl),
        user.call('listMediaItems', { query: { limit: 200 } }),
        anonymous('getReadiness'),
        anonymous('getLiveness'),
      ]);
      for (const { status, error, headers } of [upload, link]) {
        assert.deepEqual([status, error.message], [503, 'the object store is not reachable']);
        assert.equal(headers.get('retry-after'), '5');
      }
      assert.deepEqual([list.status, ready.status, alive.status], [200, 200, 200]);
      assert.equal(list.body.length, length, 'the failed upload added no item');
      await restore();
      // A server may report ready a moment before it serves files.
      await waitUntil('the store serves its files', async () => (await fetchLink(url, sourceUrl)).status !== 503);
      assert.equal((await fetchLink(url, sourceUrl)).status, 200);
      await user.uploadPhoto();
      await waitUntilAllReady(user);
    });
  }
});
