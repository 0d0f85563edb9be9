import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { components } from './components.ts';
import { runItem } from './runPool.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';

const worker = await openTestWorker();
const { deps, user } = worker;
after(async () => worker[Symbol.asyncDispose]());

let seed = 500;
/** Works on a photo and calls `meanwhile` when its pictures are stored and not recorded yet. Answers the names of what is stored afterwards. */
const workWhile = async (meanwhile: (item: MediaItemRow) => Promise<unknown>): Promise<string[]> => {
  const item = await worker.store(await makeTestPhoto({ seed: seed++ }));
  const { PREVIEW_THUMBNAIL: real } = components;
  const PREVIEW_THUMBNAIL: typeof real = {
    ...real,
    run: async (...args) => {
      const outcome = await real.run(...args);
      await meanwhile(item);
      return outcome;
    },
  };
  await runItem(deps, 'media', { ...components, PREVIEW_THUMBNAIL }, { mediaItemId: item.id });
  const keys = await Array.fromAsync(deps.objects.list(`${user.id}/${item.id}/`), ({ key }) => key);
  return keys.map((key) => key.split('/').at(-1)!.replace(/-\d+/, '')).toSorted();
};

const pictures = ['original', 'preview.jpg', 'thumbnail.webp'];

test('what a worker makes of an item that is removed meanwhile does not stay', async () => {
  const stored = await workWhile(async ({ id }) => {
    await deps.objects.remove([originalKey(user.id, id)]);
    await deps.db.deleteFrom('media_items').where('id', '=', id).execute();
  });
  assert.deepEqual(stored, []);
});

test('also where it is being removed only, and its objects have been looked through already', async () => {
  const stored = await workWhile(async ({ id }) => {
    await deps.db
      .updateTable('media_items')
      .set({ deleted_at: new Date(), removing_at: new Date() })
      .where('id', '=', id)
      .execute();
  });
  assert.deepEqual(stored, ['original']);
});

test('an original is not the worker’s to remove: its row may be lost with a database that was restored', async () => {
  const stored = await workWhile(({ id }) => deps.db.deleteFrom('media_items').where('id', '=', id).execute());
  assert.deepEqual(stored, ['original']);
});

test('what a worker has made stays where the run has passed to another one, and where all is well', async () => {
  const stored = await workWhile(({ id }) =>
    deps.db.updateTable('component_runs').set({ claim_id: null }).where('media_item_id', '=', id).execute(),
  );
  assert.deepEqual(stored, pictures);
  assert.deepEqual(await workWhile(async () => undefined), pictures);
});
