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
/** Processes a photo, and calls `meanwhile` when its pictures are stored, but not recorded yet. Returns the names of the objects left. */
const processWhile = async (meanwhile: (item: MediaItemRow) => Promise<unknown>): Promise<string[]> => {
  const item = await worker.store(await makeTestPhoto({ seed: seed++ }));
  const { PREVIEW_THUMBNAIL: realComponent } = components;
  const PREVIEW_THUMBNAIL: typeof realComponent = {
    ...realComponent,
    run: async (...args) => {
      const outcome = await realComponent.run(...args);
      await meanwhile(item);
      return outcome;
    },
  };
  await runItem(deps, 'media', { ...components, PREVIEW_THUMBNAIL }, { mediaItemId: item.id });
  const keys = await Array.fromAsync(deps.objects.list(`${user.id}/${item.id}/`), ({ key }) => key);
  return keys.map((key) => key.split('/').at(-1)!.replace(/-\d+/, '')).toSorted();
};

const pictures = ['original', 'preview.jpg', 'thumbnail.webp'];

test('deletes the results for an item that is deleted meanwhile', async () => {
  const stored = await processWhile(async ({ id }) => {
    await deps.objects.remove([originalKey(user.id, id)]);
    await deps.db.deleteFrom('media_items').where('id', '=', id).execute();
  });
  assert.deepEqual(stored, []);
});

test('deletes the results for an item whose removal has started and already listed its objects', async () => {
  const stored = await processWhile(async ({ id }) => {
    await deps.db
      .updateTable('media_items')
      .set({ deleted_at: new Date(), removing_at: new Date() })
      .where('id', '=', id)
      .execute();
  });
  assert.deepEqual(stored, ['original']);
});

test('never deletes an original: its row may be missing after a restore of the database', async () => {
  const stored = await processWhile(({ id }) => deps.db.deleteFrom('media_items').where('id', '=', id).execute());
  assert.deepEqual(stored, ['original']);
});

test('keeps the results if another worker has the run, and if nothing happens', async () => {
  const stored = await processWhile(({ id }) =>
    deps.db.updateTable('component_runs').set({ claim_id: null }).where('media_item_id', '=', id).execute(),
  );
  assert.deepEqual(stored, pictures);
  assert.deepEqual(await processWhile(async () => undefined), pictures);
});
