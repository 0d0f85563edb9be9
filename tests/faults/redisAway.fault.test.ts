import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { startTestInstallation } from '@hearth/testkit/hearth/testInstallation.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';

const skip = missingTool('redis-server');

test(
  'accepts uploads while Redis is down, and processes all within a minute after it returns empty',
  { skip },
  async (t) => {
    const redis = await startTestRedis({ args: ['--appendonly', 'no'] });
    t.after(() => redis.stop());
    const { client, apis, workers } = await startTestInstallation(t, { HEARTH_REDIS_URL: redis.url });
    const [first, ...photos] = await makePhotos(41, 21);
    const isReady = async (id: string): Promise<boolean> => (await client.get(id)).status === 'READY';
    const firstId = await client.upload(first!);
    await waitFor('the first photo is READY', () => isReady(firstId));

    await redis.kill();
    const ids = await Promise.all(photos.map((photo) => client.upload(photo)));
    assert.deepEqual(client.figures, { retries: 0, logins: 1, duplicates: 0, unexcused: [] });
    for (const { url } of apis) assert.equal((await fetch(`${url}/readyz`)).status, 200);

    const returnedAt = Date.now();
    await redis.restart();
    for (const id of ids) await waitFor('every photo is READY', () => isReady(id));
    const seconds = (Date.now() - returnedAt) / 1_000;
    t.diagnostic(`all photos were READY ${seconds} s after Redis returned`);
    assert.ok(seconds < 60, `${seconds} s`);
    for (const worker of workers) {
      const unforeseen = (await worker.log()).filter((line) => /"level":"(error|fatal)"/.test(line));
      assert.deepEqual(unforeseen, []);
    }
  },
);
