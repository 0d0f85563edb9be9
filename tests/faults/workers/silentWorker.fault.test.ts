import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryEmbedded } from '@hearth/testkit/hearth/embeddedDatabase.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { makeSlowPicture } from './poison.ts';
import { needsLinux } from '@hearth/testkit/hearth/processTree.ts';
import { startTestHearth } from '@hearth/testkit/hearth/testHearth.ts';
import { waitFor, waitUntilReady } from '@hearth/testkit/hearth/wait.ts';

/** Blocks the event loop of a process on SIGUSR2, like a call that never returns. */
const blockOnSignal = 'process.on("SIGUSR2",()=>Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0))';
const blocker = `data:text/javascript,${encodeURIComponent(blockOnSignal)}`;

const slowPicture = makeSlowPicture();

test(
  'kills and replaces a worker with a blocked event loop, and counts the interrupted attempt',
  needsLinux,
  async (t) => {
    const { directory, client, worker } = await startTestHearth(t, {
      HEARTH_LEASE_SECONDS: '2',
      HEARTH_MAX_PIXELS: '500000000',
      NODE_OPTIONS: `--import=${blocker}`,
    });
    const query = queryEmbedded(directory);
    const id = await client.upload(slowPicture);
    const runs = () =>
      query<{ state: string; attempts: number }>(
        `select state, attempts from component_runs where component = 'PREVIEW_THUMBNAIL' and media_item_id = $1`,
        [id],
      );
    await waitFor('the worker processes it', async () => (await runs())[0]?.state === 'RUNNING');
    const blocked = worker()!;
    process.kill(blocked.pid, 'SIGUSR2');
    await waitFor('another worker', async () => worker() !== undefined && worker()?.pid !== blocked.pid);
    await client.upload((await makePhotos(12, 1))[0]!);
    await waitUntilReady(query);
    assert.deepEqual(await runs(), [{ state: 'DONE', attempts: 2 }]);
    assert.deepEqual(
      (await client.list()).items.map(({ status }) => status),
      ['READY', 'READY'],
    );
  },
);
