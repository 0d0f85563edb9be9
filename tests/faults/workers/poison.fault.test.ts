import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryEmbedded } from '@hearth/testkit/hearth/embeddedDatabase.ts';
import { toPhoto, makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { makeFlatPng } from './poison.ts';
import { needsLinux } from '@hearth/testkit/hearth/processTree.ts';
import { startTestHearth } from '@hearth/testkit/hearth/testHearth.ts';
import { median } from '@hearth/testkit/figures/statistics.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';

const decodeTimeoutSeconds = 5;

const env = {
  HEARTH_WORKER_CONCURRENCY: '2',
  HEARTH_DECODE_TIMEOUT_SECONDS: String(decodeTimeoutSeconds),
  HEARTH_DECODE_MEMORY_BYTES: '300000000',
  HEARTH_MAX_PIXELS: '500000000',
};

/**
 * Takes four to seven times the time limit and 215 MB: 400 megapixels, decoded a second time in full because the end is
 * missing.
 */
const hangingPhoto = toPhoto('hanging.png', makeFlatPng({ width: 8_000, height: 50_000, share: 0.99 }));

/** Has 1.2 GB of pixels, and exceeds the memory limit within a fifth of the time limit. */
const swellingPhoto = toPhoto('swelling.png', makeFlatPng({ width: 12_200, height: 12_200, isInterlaced: true }));

test(
  'pictures that time out or exhaust memory fail with a reason and do not delay other photos',
  needsLinux,
  async (t) => {
    const { directory, client, worker } = await startTestHearth(t, env);
    const query = queryEmbedded(directory);
    const firstWorker = worker();
    const poison = [await client.upload(hangingPhoto), await client.upload(swellingPhoto)];

    // Skips the pauses between attempts, more than two minutes in total.
    const isOver = async (): Promise<boolean> => {
      await query(
        `update component_runs set next_attempt_at = now()
      where media_item_id = any($1) and state = 'PENDING' and attempts > 0 and next_attempt_at > now()`,
        [poison],
      );
      const left = await query(`select from media_items where id = any($1) and status <> 'FAILED'`, [poison]);
      return left.length === 0;
    };
    let isDone = false;
    const uploadOthers = async (): Promise<string[]> => {
      const ids: string[] = [];
      for (const photo of await makePhotos(1, 60)) {
        if (isDone) break;
        ids.push(await client.upload(photo));
        await sleep(500);
      }
      return ids;
    };
    const others = uploadOthers();
    await waitFor('the pictures have failed', isOver);
    isDone = true;

    const getPreviewRun = async (id: string) => {
      const { status, processing } = await client.get(id);
      return { status, run: processing.find(({ component }) => component === 'PREVIEW_THUMBNAIL') };
    };
    // A timeout with a fair share of the CPU is TOO_LARGE. On a busy machine, a file with growing memory may time out
    // first.
    const { status, run } = await getPreviewRun(poison[0]!);
    assert.match(`${status} ${run?.state} ${run?.reason} ${run?.attempts}`, /^FAILED FAILED (TOO_LARGE|TIMED_OUT) 2$/);
    const swellingRuns = await getPreviewRun(poison[1]!);
    assert.match(
      `${swellingRuns.status} ${swellingRuns.run?.state} ${swellingRuns.run?.reason} ${swellingRuns.run?.attempts}`,
      /^FAILED FAILED (OUT_OF_MEMORY 5|(TIMED_OUT|TOO_LARGE) [2-5])$/,
    );

    const ids = await others;
    await waitFor('every photo is done', async () => {
      const left = await query(`select from media_items where id = any($1) and status = 'PROCESSING'`, [ids]);
      return left.length === 0;
    });
    const rows = await query<{ status: string; attempts: number; seconds: number }>(
      `select status, max(attempts) as attempts, extract(epoch from max(finished_at) - item.created_at)::float8 as seconds
    from media_items as item join component_runs on media_item_id = item.id where item.id = any($1) group by item.id`,
      [ids],
    );
    const seconds = rows.map((row) => row.seconds);
    const [middle, longest] = [median(seconds), Math.max(...seconds)];
    t.diagnostic(`${ids.length} photos were READY after ${middle} s (median) to ${longest} s`);
    assert.deepEqual(
      new Set(rows.map(({ status, attempts }) => `${status} after ${attempts}`)),
      new Set(['READY after 1']),
    );
    // If delayed, each photo would wait until the hanging picture is given up, however long that takes on this machine.
    // A single photo may wait for several of its attempts.
    const [{ hangSeconds } = { hangSeconds: 0 }] = await query<{ hangSeconds: number }>(
      `select extract(epoch from max(finished_at) - item.created_at)::float8 as "hangSeconds"
    from media_items as item join component_runs on media_item_id = item.id where item.id = $1 group by item.id`,
      [poison[0]],
    );
    assert.ok(middle < hangSeconds, `half of the photos took ${middle} s, the hanging picture ${hangSeconds} s`);
    assert.ok(longest < 4 * hangSeconds, `another photo took ${longest} s, the hanging picture ${hangSeconds} s`);
    assert.deepEqual(worker(), firstWorker, 'the worker was not restarted');
  },
);
