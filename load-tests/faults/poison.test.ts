import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryEmbedded } from '../harness/embeddedDatabase.ts';
import { asPhoto, makePhotos } from '../harness/photos.ts';
import { makeFlatPng } from './poison.ts';
import { needsLinux } from '../harness/processTree.ts';
import { startTestHearth } from '../harness/testHearth.ts';
import { until } from '../harness/wait.ts';

const decodeTimeoutSeconds = 5;

const env = {
  HEARTH_WORKER_CONCURRENCY: '2',
  HEARTH_DECODE_TIMEOUT_SECONDS: String(decodeTimeoutSeconds),
  HEARTH_DECODE_MEMORY_BYTES: '300000000',
  HEARTH_MAX_PIXELS: '500000000',
};

/** Decoded in four to seven times the limit and 215 MB: 400 megapixels, and once more in full because the end is missing. */
const hanging = asPhoto('hanging.png', makeFlatPng({ width: 8_000, height: 50_000, share: 0.99 }));

/** The claim of the attempt that runs, and how many items are READY. */
interface Look {
  readonly claim: string;
  readonly ready: number;
}

/** Has 1.2 GB of pixels, and passes the limit of memory in a fifth of the limit of time. */
const swelling = asPhoto('swelling.png', makeFlatPng({ width: 12_200, height: 12_200, isInterlaced: true }));

test(
  'pictures that hang or swell their decoder fail with a reason, and hold up no photo beside them',
  needsLinux,
  async (t) => {
    const { directory, client, hearth, worker } = await startTestHearth(t, env);
    const query = queryEmbedded(directory);
    const workerAtFirst = worker();
    const poison = [await client.upload(hanging), await client.upload(swelling)];

    /** How often a photo became READY while one attempt at the picture that hangs was RUNNING. */
    let overtaken = 0;
    let lastLook: Look | undefined;
    const countOvertaken = async (): Promise<void> => {
      const [look] = await query<Look>(
        `select claim_id as claim, (select count(*)::int from media_items where status = 'READY') as ready
        from component_runs where media_item_id = $1 and component = 'PREVIEW_THUMBNAIL' and state = 'RUNNING'`,
        [poison[0]],
      );
      if (look !== undefined && look.claim === lastLook?.claim) overtaken += look.ready - lastLook.ready;
      lastLook = look;
    };
    // The test cuts the pauses between attempts short, which are more than two minutes. Everything else takes its course.
    const isOver = async (): Promise<boolean> => {
      await countOvertaken();
      await query(
        `update component_runs set next_attempt_at = now()
      where media_item_id = any($1) and state = 'PENDING' and attempts > 0 and next_attempt_at > now()`,
        [poison],
      );
      const left = await query(`select from media_items where id = any($1) and status <> 'FAILED'`, [poison]);
      return left.length === 0;
    };
    let isDone = false;
    const uploadBeside = async (): Promise<string[]> => {
      const ids: string[] = [];
      for (const photo of await makePhotos(1, 60)) {
        if (isDone) break;
        ids.push(await client.upload(photo));
        await sleep(500);
      }
      return ids;
    };
    const beside = uploadBeside();
    await until('the pictures have failed', isOver);
    isDone = true;

    const previewOf = async (id: string) => {
      const { status, processing } = await client.get(id);
      return { status, run: processing.find(({ component }) => component === 'PREVIEW_THUMBNAIL') };
    };
    const hung = await previewOf(poison[0]!);
    // TOO_LARGE after the first attempt that had a fair share of the processor. On a busy machine none of the five may have it.
    assert.deepEqual([hung.status, hung.run?.state], ['FAILED', 'FAILED']);
    assert.match(`${hung.run?.reason} ${hung.run?.attempts}`, /^TOO_LARGE [1-5]$|^TIMED_OUT 5$/);
    // On a busy machine some attempts run out of time before they have taken too much memory.
    const swollen = await previewOf(poison[1]!);
    assert.deepEqual([swollen.status, swollen.run?.state], ['FAILED', 'FAILED']);
    assert.match(`${swollen.run?.reason} ${swollen.run?.attempts}`, /^(OUT_OF_MEMORY|TIMED_OUT) 5$/);
    assert.match(hearth.output(), /took more than 300 MB of memory/);

    const ids = await beside;
    await until('the last photo is done', async () => (await client.get(ids.at(-1)!)).status !== 'PROCESSING');
    const rows = await query<{ status: string; attempts: number }>(
      `select status, max(attempts) as attempts from media_items as item join component_runs on media_item_id = item.id
      where item.id = any($1) group by item.id`,
      [ids],
    );
    assert.deepEqual(
      new Set(rows.map(({ status, attempts }) => `${status} after ${attempts}`)),
      new Set(['READY after 1']),
    );
    t.diagnostic(`${overtaken} of ${ids.length} photos became READY while the picture that hangs was RUNNING`);
    assert.ok(overtaken > 0, 'every photo waited until the picture that hangs was given up');
    assert.deepEqual(worker(), workerAtFirst, 'the worker has lived through it');
  },
);
