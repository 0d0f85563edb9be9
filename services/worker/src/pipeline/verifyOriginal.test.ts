import assert from 'node:assert/strict';
import { readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { isOnCluster } from '@hearth/testkit/run/backEnds.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { components } from './components.ts';
import { makeSampleFiles } from '@hearth/testkit/media/sampleFiles.ts';
import { makeSampleVideos } from '@hearth/testkit/media/sampleVideos.ts';
import { runItem, type Components } from './runPool.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';

const worker = await openTestWorker();
after(async () => worker[Symbol.asyncDispose]());
const { deps } = worker;
const quietDeps = { ...deps, log: deps.log.child({}, { level: 'silent' }) };

const { jpeg, heif, jxl, png, raw } = await makeSampleFiles();
const videos = await makeSampleVideos();
const originals = {
  jpeg: { bytes: jpeg, mime_type: 'image/jpeg' },
  png: { bytes: png, mime_type: 'image/png' },
  heic: { bytes: heif, mime_type: 'image/heic' },
  jxl: { bytes: jxl, mime_type: 'image/jxl' },
  raw: { bytes: raw, mime_type: 'image/x-adobe-dng' },
  mp4: { bytes: videos['h264.mp4']!, mime_type: 'video/mp4', type: 'VIDEO' },
  avi: { bytes: videos['mjpeg.avi']!, mime_type: 'video/vnd.avi', type: 'VIDEO' },
} as const;

/** Changes to a local file between download and decoding. Each returns a function to undo it. */
const damages = {
  'is removed': async (path: string) => {
    await rename(path, `${path}.away`);
    return () => rename(`${path}.away`, path);
  },
  'is truncated': async (path: string) => {
    const bytes = await readFile(path);
    await truncate(path, Math.floor(bytes.length / 2));
    return () => writeFile(path, bytes);
  },
  'reads as zeros': async (path: string) => {
    const bytes = await readFile(path);
    await writeFile(path, Buffer.alloc(bytes.length));
    return () => writeFile(path, bytes);
  },
} satisfies Record<string, (path: string) => Promise<() => Promise<void>>>;

/** Returns the components. The one with this name damages the local file after fetching the original. */
const runDamaged = (
  name: ComponentName,
  damage: (path: string) => Promise<() => Promise<void>>,
): { readonly pipeline: Components; readonly undo: () => Promise<void> } => {
  let restore: (() => Promise<void>) | undefined;
  const pipeline = {
    ...components,
    [name]: {
      ...components[name],
      run: async (...[given, context, control]: Parameters<Components['METADATA']['run']>) => {
        restore = await damage(await context.original());
        return components[name].run(given, context, control);
      },
    },
  };
  return { pipeline, undo: async () => restore?.() };
};

const findRun = async ({ id }: MediaItemRow, name: ComponentName) => {
  const run = (await listRuns(deps.db, id)).find(({ component }) => component === name);
  return { state: run?.state, reason: run?.reason, warnings: run?.warnings };
};

for (const [description, damage] of Object.entries(damages)) {
  test(`does not fail an original that ${description} before it is decoded`, async () => {
    for (const [kind, { bytes, ...values }] of Object.entries(originals)) {
      // Bytes at the end make each file unique: a user cannot store duplicates.
      const item = await worker.store(Buffer.concat([bytes, Buffer.from(description)]), values);
      const { pipeline, undo } = runDamaged('PREVIEW_THUMBNAIL', damage);
      await worker.process(item, { deps: quietDeps, components: pipeline });
      await undo();
      const { state, reason } = await findRun(item, 'PREVIEW_THUMBNAIL');
      assert.equal(state, 'PENDING', `${kind}: ${state} ${reason}`);
      assert.match(reason ?? '', /^(UNREADABLE|INTERNAL|CRASHED|ORIGINAL_DAMAGED|ORIGINAL_MISSING)$/, kind);
    }
  });
}

for (const name of ['METADATA', 'TRANSCODE'] as const) {
  test(`${name} does not fail a truncated stored original permanently`, async () => {
    const { bytes, ...values } = originals.avi;
    const item = await worker.store(Buffer.concat([bytes, Buffer.from(name)]), values);
    const { pipeline, undo } = runDamaged(name, damages['is truncated']);
    await worker.process(item, { deps: quietDeps, components: pipeline });
    await undo();
    // In a folder store the local file is the stored original itself.
    const reason = isOnCluster ? 'UNREADABLE' : 'ORIGINAL_DAMAGED';
    assert.deepEqual(await findRun(item, name), { state: 'PENDING', reason, warnings: [] });
  });
}

test('completes a retry on the intact file without a warning', async () => {
  const item = await worker.store(Buffer.concat([jpeg, Buffer.from('again')]));
  const { pipeline, undo } = runDamaged('PREVIEW_THUMBNAIL', damages['is truncated']);
  await runItem(quietDeps, 'media', pipeline, { mediaItemId: item.id });
  await undo();
  await waitUntil('the run has ended', async () => {
    await runItem(quietDeps, 'media', components, { mediaItemId: item.id });
    return (await findRun(item, 'PREVIEW_THUMBNAIL')).state !== 'PENDING';
  });
  assert.deepEqual(await findRun(item, 'PREVIEW_THUMBNAIL'), { state: 'DONE', reason: null, warnings: [] });
});

test('fails a damaged file at the first attempt', async () => {
  const bytes = Buffer.from([...jpeg.subarray(0, 150)]);
  const item = await worker.store(bytes);
  await runItem(quietDeps, 'media', components, { mediaItemId: item.id });
  assert.deepEqual(await findRun(item, 'PREVIEW_THUMBNAIL'), { state: 'FAILED', reason: 'CORRUPT', warnings: [] });
});
