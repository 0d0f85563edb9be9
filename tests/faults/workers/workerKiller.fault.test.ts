import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { emptyQueue } from '@hearth/testkit/servers/emptyQueue.ts';
import { readDatabaseUrl, queryEmbedded } from '@hearth/testkit/hearth/embeddedDatabase.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { makeSlowPicture } from './poison.ts';
import { needsLinux } from '@hearth/testkit/hearth/processTree.ts';
import { startTestHearth } from '@hearth/testkit/hearth/testHearth.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';

const slow = makeSlowPicture();

const env = { HEARTH_LEASE_SECONDS: '2', HEARTH_MAX_PIXELS: '500000000' };

test('an item whose worker is killed five times fails as CRASHED and keeps its original', needsLinux, async (t) => {
  const { directory, client, processes, worker } = await startTestHearth(t, env);
  const query = queryEmbedded(directory);
  const id = await client.upload(slow);
  for (let attempt = 1; attempt <= 5; attempt++) {
    await waitFor(`attempt ${attempt} has begun`, async () => {
      const runs = await query(
        `select from component_runs where media_item_id = $1 and component = 'PREVIEW_THUMBNAIL' and state = 'RUNNING' and attempts = $2`,
        [id, attempt],
      );
      return runs.length === 1;
    });
    processes.signal(worker()!, 'SIGKILL');
    // The queue keeps a dead worker's job for up to 45 s. Without the job, the sweep enqueues the item as soon as its
    // lease expires.
    await emptyQueue({ databaseUrl: await readDatabaseUrl(directory) });
  }
  await waitFor('the item has failed', async () => (await client.get(id)).status === 'FAILED');

  const { processing, sourceUrl } = await client.get(id);
  const run = processing.find(({ component }) => component === 'PREVIEW_THUMBNAIL');
  assert.deepEqual(run, { component: 'PREVIEW_THUMBNAIL', state: 'FAILED', attempts: 5, reason: 'CRASHED' });
  const original = await client.fetchLink(sourceUrl);
  const checksum = createHash('sha256')
    .update(new Uint8Array(await original.arrayBuffer()))
    .digest('hex');
  assert.deepEqual({ status: original.status, checksum }, { status: 200, checksum: slow.checksum });

  const [photo] = await makePhotos(1, 1);
  const next = await client.upload(photo!);
  await waitFor('the next photo is READY', async () => (await client.get(next)).status === 'READY');
});
