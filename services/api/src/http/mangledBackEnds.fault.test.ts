import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { brokenS3 } from '@hearth/testkit/proxies/brokenS3.ts';
import { startInstallation } from '@hearth/testkit/servers/installation.ts';
import { mangles, startManglingProxy, type Mangle } from '@hearth/testkit/proxies/manglingProxy.ts';
import { createTestDatabase } from '@hearth/testkit/database/postgres.ts';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { createClient } from '@hearth/testkit/api/client.ts';
import { toBasicAuth } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto, signUp } from '@hearth/testkit/api/testUser.ts';

suite('the API and a worker survive', { skip: missingTool('redis-server', 'versitygw') }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-mangled-'));
  const [database, redis, s3] = await Promise.all([createTestDatabase(), startTestRedis(), startTestS3()]);
  const proxies = {
    PostgreSQL: await startManglingProxy(database.url),
    Redis: await startManglingProxy(redis.url),
    S3: await startManglingProxy(s3.endpoint),
  };
  const { url, admin, apis, workers, stop } = await startInstallation({
    directory,
    databaseUrl: proxies.PostgreSQL.url,
    apis: 1,
    workers: 1,
    env: {
      HEARTH_REDIS_URL: proxies.Redis.url,
      HEARTH_S3_ENDPOINT: proxies.S3.url,
      HEARTH_S3_ACCESS_KEY: s3.accessKey,
      HEARTH_S3_SECRET_KEY: s3.secretKey,
    },
  });
  after(async () => {
    await stop();
    for (const proxy of Object.values(proxies)) proxy.close();
    await Promise.all([redis.stop(), s3.stop(), database.drop()]);
    await rm(directory, { recursive: true });
  });
  const direct = apis[0]!.url;
  const user = await signUp(url, createClient(url, toBasicAuth(admin)));
  const upload = async (): Promise<number> => {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(await makeNextPhoto())]), 'photo.jpg');
    const headers = { authorization: `Bearer ${user.token}` };
    return fetch(`${direct}/v1/mediaItems`, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => 0,
    );
  };
  /** Number of log lines of each replica at its last restart, which `findCrash` skips. */
  const skippedLines = new Map<string, number>();
  const findCrash = async (): Promise<string | undefined> => {
    for (const replica of [apis[0]!, workers[0]!]) {
      const lines = (await replica.log())
        .slice(skippedLines.get(replica.name) ?? 0)
        .filter((line) => !line.startsWith('{'));
      if (lines.some((line) => line.startsWith('Node.js v'))) return `${replica.name}: ${lines.join('\n')}`;
    }
  };
  const restartCrashed = async (): Promise<void> => {
    if ((await findCrash()) === undefined) return;
    for (const replica of [apis[0]!, workers[0]!]) {
      await replica.restart();
      skippedLines.set(replica.name, (await replica.log()).length);
    }
  };

  const noRequest = { path: '/', headers: new Map(), offset: 0 };
  const brokenResponses = Object.entries(brokenS3).map(([damage, respond]): [string, Mangle] => [
    damage,
    (_, client) => respond(client, noRequest, Buffer.alloc(0)),
  ]);
  for (const [name, proxy] of Object.entries(proxies))
    for (const [damage, mangle] of [...Object.entries<Mangle>(mangles), ...(name === 'S3' ? brokenResponses : [])])
      test(`when ${name} sends ${damage}`, async () => {
        await restartCrashed();
        proxy.mangle(mangle);
        await waitUntil(`${name} has sent something`, async () => {
          await upload();
          return proxy.count() > 3 || (await findCrash()) !== undefined;
        });
        proxy.mangle(undefined);
        assert.equal(await findCrash(), undefined);
        await waitUntil(
          'an upload succeeds',
          async () => (await upload()) === 201 || (await findCrash()) !== undefined,
        );
        await waitUntil('every item is processed', async () => {
          const { body } = await user.call('listMediaItems', { query: { limit: 200 } });
          return body.every(({ status }) => status !== 'PROCESSING');
        });
        assert.equal(await findCrash(), undefined);
      });
});
