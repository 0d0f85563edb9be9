import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import type { ComponentRunRow, MediaItemRow } from '@hearth/core/db/schema.ts';
import {
  components as builtPipeline,
  componentsIn,
  listInitialPools,
  type Pipeline,
} from '@hearth/core/config/pipeline.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { makeTestVideo } from '@hearth/testkit/media/testVideo.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { components as builtComponents } from './components.ts';
import { makeApng } from '@hearth/testkit/media/makeApng.ts';
import { makeFlatImage as small } from '@hearth/testkit/mediaSet/renderBytes.ts';
import { runItem, runPool, type Components } from './runPool.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';
import { toyComponent } from '@hearth/testkit/worker/toyComponent.ts';
import { listDueItems } from '@hearth/api/housekeeping/runs/dueRuns.ts';

const toyPool = { name: 'toys', concurrency: 2 } as const;
const pipeline: Pipeline = [
  ...builtPipeline.filter(({ name }) => name !== 'SEARCH'),
  {
    name: 'SEARCH',
    pools: { PHOTO: toyPool, VIDEO: toyPool },
    after: ['PREVIEW_THUMBNAIL'],
    version: 1,
    required: false,
  },
];
const components: Components = { ...builtComponents, SEARCH: toyComponent };

const worker = await openTestWorker({ HEARTH_WORKER_CONCURRENCY: '2' });
const deps = { ...worker.deps, pipeline };
const consumers = ['media', 'video', 'toys'].map((pool) => runPool(deps, pool, components));
after(async () => {
  await Promise.all(consumers.map((consumer) => consumer.close(10_000)));
  await worker[Symbol.asyncDispose]();
});

const makeFlatImage = (colour: string) => small(colour).resize(1600, 1200);
const findToyRun = async ({ id }: MediaItemRow): Promise<ComponentRunRow> =>
  (await listRuns(deps.db, id)).find(({ component }) => component === 'SEARCH')!;
const findColour = async ({ id }: MediaItemRow): Promise<string | undefined> => {
  const sql = `select name from things join collection_items on collection_id = things.id where media_item_id = '${id}'`;
  return (await queryOnce<{ name: string }>(deps.config.databaseUrl, sql))[0]?.name;
};

/** Uploads as the API does, and waits until the toy component has ended. */
const upload = async (bytes: Buffer, values: Parameters<typeof worker.store>[1] = {}): Promise<MediaItemRow> => {
  const item = await worker.store(bytes, values, { components: pipeline });
  for (const pool of listInitialPools(item.type, pipeline))
    await deps.queues.enqueue(pool, [{ mediaItemId: item.id }], 'upload');
  await waitUntil('the toy has ended', async () => !['PENDING', 'RUNNING'].includes((await findToyRun(item)).state));
  return item;
};

test('runs a new component that needs pixels, added in one file and one line of the pipeline', async () => {
  assert.deepEqual([...listInitialPools('PHOTO', pipeline)], ['media'], 'SEARCH is not enqueued before it is due');
  const item = await upload(await makeFlatImage('#206030').jpeg().toBuffer());
  assert.equal(await findColour(item), 'green 640 480');
  const { state, attempts, version } = await findToyRun(item);
  assert.deepEqual([state, attempts, version], ['DONE', 1, 1]);
});

test('components.md shows the code of the toy component', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/docs/dev-guide/components.md'), 'utf8');
  const code = readFileSync(join(import.meta.dirname, '../../../testkit/src/worker/toyComponent.ts'), 'utf8');
  const [, shown] = /the toy component: begin -->\s*```ts\n([^]*?)```/.exec(page) ?? [];
  assert.equal(shown, code);
});

test('a component gets upright sRGB pixels for any kind of file', async () => {
  const rotated = await makeFlatImage('#803030').jpeg().withMetadata({ orientation: 6 }).toBuffer();
  assert.equal(await findColour(await upload(rotated)), 'red 480 640');
  const grey = await makeFlatImage('#808080').toColourspace('b-w').png().toBuffer();
  assert.equal(await findColour(await upload(grey, { mime_type: 'image/png' })), 'red 640 480');
  const frames = await Promise.all(
    ['#2020c0', '#c02020'].map((colour) => makeFlatImage(colour).resize(64, 48).png().toBuffer()),
  );
  const moving = makeApng(frames.map((png) => ({ png, delayMs: 100 })));
  assert.equal(await findColour(await upload(moving, { mime_type: 'image/apng' })), 'blue 64 48', 'never enlarged');
  const film = await makeTestVideo({ seed: 1, frames: 10, width: 320, height: 240 });
  const video = { type: 'VIDEO', mime_type: 'video/vnd.avi', filename: 'film.avi' } as const;
  assert.match((await findColour(await upload(film, video))) ?? '', / 320 240$/);
});

test('a component fails at the first attempt for a file without a preview, with the reason of the preview', async () => {
  const whole = await makeFlatImage('#806030').jpeg().toBuffer();
  const item = await upload(whole.subarray(0, 150));
  const { state, attempts, reason } = await findToyRun(item);
  assert.deepEqual([state, attempts, reason], ['FAILED', 1, 'CORRUPT']);
});

test('a component has its own attempts and queue, and does not delay the item', async () => {
  const [mediaConsumer, , toyConsumer] = consumers;
  await toyConsumer!.close(10_000);
  const item = await worker.store(await makeFlatImage('#604020').jpeg().toBuffer(), {}, { components: pipeline });
  await deps.queues.enqueue('media', [{ mediaItemId: item.id }], 'upload');
  await waitUntil('the toy waits in its queue', async () => (await deps.queues.depth('toys')) > 0);
  assert.ok((await listDueItems(deps.db, 'toys', 10, pipeline)).some(({ id, isReady }) => id === item.id && isReady));
  await mediaConsumer!.close(10_000);

  const failing = {
    ...components,
    SEARCH: { ...toyComponent, run: () => Promise.reject(new TypeError('a bug')) },
  };
  const quiet = { ...deps, log: deps.log.child({}, { level: 'silent' }) };
  const again = runPool(quiet, 'toys', failing);
  await waitUntil('the toy was tried', async () => {
    const { attempts, state } = await findToyRun(item);
    return attempts > 0 && state !== 'RUNNING';
  });
  await again.close(10_000);
  const runs = (await listRuns(deps.db, item.id)).map((run) =>
    [run.component, run.state, run.attempts, run.reason].join(' '),
  );
  assert.deepEqual(
    runs.toSorted(),
    [
      'METADATA DONE 1 ',
      'PLACES SKIPPED 1 NOT_APPLICABLE',
      'PREVIEW_THUMBNAIL DONE 1 ',
      'SEARCH PENDING 1 INTERNAL',
      ...componentsIn('ml', pipeline).map(({ name }) => `${name} PENDING 0 `),
    ].toSorted(),
  );
});

test('decodes all common sizes of a job at once, rare sizes separately, and no undeclared size', async () => {
  const item = await worker.store(await makeFlatImage('#284868').jpeg().toBuffer(), {}, { components: pipeline });
  const seen: (readonly number[])[] = [];
  const withSizes: Components = {
    ...components,
    METADATA: { ...components.METADATA, previewSizes: 100 },
    PLACES: {
      ...components.PLACES,
      previewSizes: 320,
      onDemandPreviewSizes: [20, 200],
      run: async (_, { pixels, preview }) => {
        const path = await preview();
        const hiddenPath = `${path}.away`;
        for (const [index, side] of [100, 320, 100, 20, 200, 320].entries()) {
          // Hides the preview from decoders except for the first common and the first rare size.
          const isRead = index === 0 || index === 3;
          if (!isRead) await rename(path, hiddenPath);
          const { data, width, height } = await pixels(side);
          if (!isRead) await rename(hiddenPath, path);
          seen.push([width, height, data.length, data[0]! >> 4, data[1]! >> 4, data[2]! >> 4]);
        }
        await assert.rejects(pixels(50), RangeError);
        return { state: 'DONE', warnings: [] };
      },
    },
  };
  await runItem(deps, 'media', withSizes, { mediaItemId: item.id });
  assert.deepEqual(seen, [
    [100, 75, 22_500, 2, 4, 6],
    [320, 240, 230_400, 2, 4, 6],
    [100, 75, 22_500, 2, 4, 6],
    [20, 15, 900, 2, 4, 6],
    [200, 150, 90_000, 2, 4, 6],
    [320, 240, 230_400, 2, 4, 6],
  ]);
});
