import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { markerKey } from '@hearth/core/objects/marker.ts';
import { claimRun, listRuns } from '@hearth/core/runs/componentRuns.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import {
  faceKey,
  motionKey,
  originalKey,
  posterKey,
  previewKey,
  sharedVideoKey,
  thumbnailKey,
} from '@hearth/core/objects/keys.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { startScrubFixture } from '@hearth/testkit/api/scrubFixture.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { requestRuns } from '@hearth/core/runs/runOutcomes.ts';

const api = await startTestApi();
const { deps } = api;
const { db, objects } = deps;
const fixture = await startScrubFixture(api);
const { store, scrub, listResults, readState, put } = fixture;
after(() => api.stop());
afterEach(() => fixture.clear());

const box = { left: 0.1, top: 0.1, width: 0.2, height: 0.2 };

/** Creates an item with all renditions of its type, 20 bytes each, and all runs done. */
const storeShown = async (type: 'PHOTO' | 'VIDEO'): Promise<MediaItemRow> => {
  const { id: userId } = await buildUser(db);
  const { id } = await store(userId, { type });
  const renditions = {
    preview_key: previewKey(userId, id, 2, type === 'VIDEO' ? 'mp4' : 'jpg'),
    thumbnail_key: thumbnailKey(userId, id, 2),
    ...(type === 'VIDEO' ? { poster_key: posterKey(userId, id, 2) } : { motion_key: motionKey(userId, id, 2) }),
    shared_video_key: type === 'VIDEO' ? sharedVideoKey(userId, id, 1) : motionKey(userId, id, 2),
  };
  const sizes = { preview_bytes: 20, thumbnail_bytes: 20, poster_bytes: 20, motion_bytes: 20, shared_video_bytes: 20 };
  const face_key = faceKey(userId, id, 1, box);
  for (const key of [...Object.values(renditions), face_key]) await put(key, 'x'.repeat(20));
  await db
    .updateTable('media_items')
    .set({ ...renditions, ...sizes, status: 'READY' })
    .where('id', '=', id)
    .execute();
  await db
    .insertInto('faces')
    .values({
      id,
      media_item_id: id,
      box_left: 0.1,
      box_top: 0.1,
      box_width: 0.2,
      box_height: 0.2,
      quality: 1,
      thumbnail_key: face_key,
      thumbnail_bytes: 20,
      visibility: 'visible',
    })
    .execute();
  await requestRuns(db, { mediaItemId: id, userId, type }, ['TRANSCODE']);
  await db.updateTable('component_runs').set({ state: 'DONE' }).where('media_item_id', '=', id).execute();
  return db.selectFrom('media_items').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
};

const facePictureOf = ({ user_id, id }: MediaItemRow): string => faceKey(user_id, id, 1, box);

const listDue = async ({ id }: MediaItemRow): Promise<string[]> =>
  (await listRuns(db, id))
    .filter(({ state }) => state === 'PENDING')
    .map(({ component }) => component)
    .toSorted();

type KeyColumn = 'preview_key' | 'thumbnail_key' | 'poster_key' | 'motion_key' | 'shared_video_key';

for (const [type, column, component] of [
  ['PHOTO', 'preview_key', 'PREVIEW_THUMBNAIL'],
  ['PHOTO', 'thumbnail_key', 'PREVIEW_THUMBNAIL'],
  ['PHOTO', 'motion_key', 'TRANSCODE'],
  ['VIDEO', 'preview_key', 'TRANSCODE'],
  ['VIDEO', 'poster_key', 'PREVIEW_THUMBNAIL'],
  ['VIDEO', 'shared_video_key', 'TRANSCODE'],
] as const satisfies readonly (readonly ['PHOTO' | 'VIDEO', KeyColumn, string])[]) {
  test(`makes ${component} due if the ${column} of a ${type} is missing, empty or of another size`, async () => {
    for (const damage of [undefined, '', 'too short']) {
      const item = await storeShown(type);
      if (damage === undefined) await objects.remove([item[column]!]);
      else await put(item[column]!, damage);
      await fixture.passDays(31);
      await scrub();
      assert.deepEqual(await listDue(item), [component], `damage: ${damage}`);
    }
    assert.equal((await readState())?.repaired_renditions, 3);
  });
}

test('makes FACES due if a face picture is missing', async () => {
  const item = await storeShown('PHOTO');
  await objects.remove([facePictureOf(item)]);
  await scrub();
  assert.deepEqual(await listDue(item), ['FACES']);
});

test('ignores intact renditions and those of damaged originals', async () => {
  const [whole, damaged] = [await storeShown('PHOTO'), await storeShown('VIDEO')];
  await put(originalKey(damaged.user_id, damaged.id), 'damaged');
  await objects.remove([damaged.thumbnail_key!]);
  await scrub();
  assert.deepEqual([await listDue(whole), await listDue(damaged)], [[], []]);
});

test('repeats a failed run only after the original is back', async () => {
  const item = await storeShown('PHOTO');
  const fail = async (reason: string): Promise<void> => {
    const runs = db.updateTable('component_runs').where('media_item_id', '=', item.id);
    await runs.set({ state: 'FAILED', reason }).where('component', '=', 'PREVIEW_THUMBNAIL').execute();
  };
  await objects.remove([item.thumbnail_key!]);
  await scrub();
  assert.deepEqual(await listDue(item), ['PREVIEW_THUMBNAIL']);
  await fail('CORRUPT');
  await fixture.passDays(31);
  await scrub();
  assert.deepEqual(await listDue(item), []);
  await fixture.passDays(31);
  await db.updateTable('original_checks').set({ state: 'DAMAGED' }).execute();
  await scrub();
  assert.ok((await listDue(item)).includes('PREVIEW_THUMBNAIL'), 'all renditions of the original are reprocessed');
});

/** Scrubs three items with an error while reading the last one. */
const interrupt = async (): Promise<void> => {
  await fixture.passDays(31);
  let opened = 0;
  const open: typeof objects.open = async (key, range) => {
    if (key !== markerKey) opened += 1;
    if (opened === 3) throw new Error('interrupted');
    return objects.open(key, range);
  };
  await assert.rejects(scrub(undefined, { objects: { ...objects, open } }), { message: 'interrupted' });
};

test('an interrupted scrub still reprocesses originals that are back', async () => {
  const items = [await storeShown('PHOTO'), await storeShown('PHOTO'), await storeShown('PHOTO')];
  await scrub();
  await db.updateTable('original_checks').set({ state: 'MISSING' }).execute();
  await db.updateTable('component_runs').set({ state: 'FAILED', reason: 'ORIGINAL_MISSING' }).execute();
  await interrupt();
  assert.equal(Object.values(await listResults()).filter((state) => state === 'OK').length, 2);
  await scrub();
  for (const item of items) assert.notDeepEqual(await listDue(item), []);
});

test('an interrupted scrub still repairs missing renditions', async () => {
  const items = [await storeShown('PHOTO'), await storeShown('PHOTO'), await storeShown('PHOTO')];
  await scrub();
  await objects.remove(items.map(({ thumbnail_key }) => thumbnail_key!));
  await interrupt();
  await scrub();
  for (const item of items) assert.deepEqual(await listDue(item), ['PREVIEW_THUMBNAIL']);
  assert.equal((await readState())?.repaired_renditions, 3);
});

test('ignores a rendition that a worker is writing', async () => {
  const item = await storeShown('PHOTO');
  await objects.remove([item.thumbnail_key!]);
  await db
    .updateTable('component_runs')
    .set({ state: 'PENDING' })
    .where('media_item_id', '=', item.id)
    .where('component', '=', 'PREVIEW_THUMBNAIL')
    .execute();
  const claim = await claimRun(db, item.id, 'media', 60_000);
  await scrub();
  const run = (await listRuns(db, item.id)).find(({ component }) => component === 'PREVIEW_THUMBNAIL');
  assert.deepEqual([run?.state, run?.claim_id], ['RUNNING', claim?.claimId]);
});

test('fills in missing sizes without an event', async () => {
  const items = [await storeShown('PHOTO'), await storeShown('VIDEO')];
  const none = {
    preview_bytes: null,
    thumbnail_bytes: null,
    poster_bytes: null,
    motion_bytes: null,
    shared_video_bytes: null,
  };
  await db.updateTable('media_items').set(none).execute();
  await db.updateTable('faces').set({ thumbnail_bytes: null }).execute();
  await db.deleteFrom('events').execute();
  await scrub();
  const sizes = await db
    .selectFrom('media_items')
    .select(['id', 'preview_bytes', 'thumbnail_bytes', 'poster_bytes', 'motion_bytes', 'shared_video_bytes'])
    .orderBy('type')
    .execute();
  assert.deepEqual(
    sizes.map((row) => Object.values(row).slice(1)),
    [
      [20, 20, null, 20, 20],
      [20, 20, 20, null, 20],
    ],
  );
  const faces = await db.selectFrom('faces').select('thumbnail_bytes').execute();
  assert.deepEqual(faces, [{ thumbnail_bytes: 20 }, { thumbnail_bytes: 20 }]);
  assert.deepEqual(await db.selectFrom('events').selectAll().execute(), []);
  assert.deepEqual([await listDue(items[0]!), await listDue(items[1]!)], [[], []]);
  assert.deepEqual(Object.values(await listResults()), ['OK', 'OK']);
});

test('ignores the objects of the other half of a Live Photo', async () => {
  const [photo, video] = [await storeShown('PHOTO'), await storeShown('VIDEO')];
  await db
    .updateTable('media_items')
    .set({ motion_item_id: video.id, motion_key: video.preview_key, shared_video_key: video.shared_video_key })
    .where('id', '=', photo.id)
    .execute();
  await objects.remove([video.preview_key!]);
  await scrub();
  assert.deepEqual([await listDue(photo), await listDue(video)], [[], ['TRANSCODE']]);
});
