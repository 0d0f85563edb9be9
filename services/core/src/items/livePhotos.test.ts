import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { findAllCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { expectCountsRight } from '@hearth/testkit/rows/expectCountsRight.ts';
import { buildMediaItem, buildUser, newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { startRun } from '@hearth/testkit/rows/libraryJobs.ts';
import { videoFields, buildLivePhotoHalf, recordMetadata } from '@hearth/testkit/rows/livePhotos.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { matchHalves } from './matchHalves.ts';
import { listMediaItems } from '@hearth/api/lists/mediaItemLists.ts';
import { getMediaItem } from './mediaItems.ts';
import { insertMediaItem } from '@hearth/api/ingest/insertMediaItem.ts';
import { markForRemoval } from '@hearth/api/features/trash/queries.ts';
import { deleteRemovedItems, listItemsForRemoval, markExpiredTrash } from '@hearth/api/features/trash/removal.ts';
import { setTrashed } from '@hearth/api/lists/trashed.ts';
import { recordOutcome } from '../runs/runOutcomes.ts';
import type { MediaItemRow, Visibility } from '../db/schema.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);
const { id: userId } = await buildUser(db);
afterEach(() => db.deleteFrom('media_items').execute());

const live = 'LIVE-1';
const list = async (visibility: Visibility): Promise<string[]> => {
  const { items, totalCount } = await listMediaItems(db, userId, { visibility }, { limit: 200, start: { number: 1 } });
  assert.equal(totalCount, items.length);
  return items.map(({ id }) => id).toSorted();
};
const get = ({ id }: { readonly id: string }): Promise<MediaItemRow> => getMediaItem(db, userId, id);
const trash = (...items: readonly MediaItemRow[]) =>
  setTrashed(
    db,
    userId,
    items.map(({ id }) => id),
    true,
  );
const restore = (item: MediaItemRow) => setTrashed(db, userId, [item.id], false);

/** Records that a video has a version that browsers can play. */
const makePlayable = async ({ id }: MediaItemRow, preview_key: string): Promise<void> => {
  const claim = await startRun(db, id);
  assert.equal(claim?.component, 'PREVIEW_THUMBNAIL');
  await recordOutcome(db, claim, { state: 'DONE', changes: { preview_key }, warnings: [] });
};

for (const first of ['photo', 'video']) {
  test(`lists photo and video with one content identifier as one item, uploaded first: the ${first}`, async () => {
    const [a, b] = [
      await buildLivePhotoHalf(db, userId, live, first === 'photo' ? {} : videoFields),
      await buildLivePhotoHalf(db, userId, null),
    ];
    assert.deepEqual(await list('visible'), [a.id, b.id].toSorted());
    const c = await buildLivePhotoHalf(db, userId, live, first === 'photo' ? videoFields : {});
    const [photo, video] = first === 'photo' ? [a, c] : [c, a];
    assert.deepEqual(await list('visible'), [photo.id, b.id].toSorted());
    assert.equal((await get(video)).visibility, 'paired');
    assert.equal((await get(photo)).motion_item_id, video.id);
    await expectCountsRight(db);
  });
}

test('plays the browser version of a video on all of its photos once it exists', async () => {
  const [video, photo] = [
    await buildLivePhotoHalf(db, userId, live, videoFields),
    await buildLivePhotoHalf(db, userId, live),
  ];
  assert.equal((await get(photo)).motion_key, null);
  await makePlayable(video, 'a/b/original');
  assert.equal((await get(photo)).motion_key, 'a/b/original');
  const other = await buildLivePhotoHalf(db, userId, live, { filename: 'IMG_9.HEIC' });
  assert.equal((await get(other)).motion_key, 'a/b/original');
});

test('plays a video whose preview was made before its metadata was read', async () => {
  const photo = await buildLivePhotoHalf(db, userId, live);
  const video = await buildMediaItem(db, userId, videoFields);
  const [details, pictures] = [await startRun(db, video.id), await startRun(db, video.id)];
  await recordOutcome(db, pictures!, { state: 'DONE', changes: { preview_key: 'a/b/original' }, warnings: [] });
  await recordOutcome(db, details!, { state: 'DONE', changes: { content_identifier: live }, warnings: [] });
  assert.equal((await get(photo)).motion_key, 'a/b/original');
});

test('does not pair items of other users, with other identifiers or without one', async () => {
  const { id: otherId } = await buildUser(db);
  const others = [
    await buildLivePhotoHalf(db, userId, 'LIVE-2', videoFields),
    await buildLivePhotoHalf(db, userId, null, videoFields),
    await buildLivePhotoHalf(db, otherId, live, videoFields),
  ];
  const photo = await buildLivePhotoHalf(db, userId, live);
  assert.equal((await get(photo)).motion_item_id, null);
  const rows = await db.selectFrom('media_items').select('visibility').distinct().execute();
  assert.deepEqual(rows, [{ visibility: 'visible' }]);
  assert.equal(others.length, 3);
});

test('pairs both halves when two workers read them at the same moment', async () => {
  for (let round = 0; round < 25; round++) {
    const [photo, video] = [await buildMediaItem(db, userId), await buildMediaItem(db, userId, videoFields)];
    const identifier = `LIVE-${round}`;
    await Promise.all([photo, video].map(({ id }) => recordMetadata(db, id, { content_identifier: identifier })));
    assert.equal((await get(photo)).motion_item_id, video.id, `round ${round}`);
    assert.equal((await get(video)).visibility, 'paired', `round ${round}`);
  }
});

test('pairs a photo with the video of the same name, in any order of upload, and lists unpaired videos', async () => {
  const files = [
    { filename: 'IMG_1.HEIC' },
    { filename: 'IMG_E1.HEIC' },
    { ...videoFields, filename: 'IMG_E1.MOV' },
    { ...videoFields, filename: 'IMG_1.mov' },
    { ...videoFields, filename: 'IMG_1 copy.mov' },
  ];
  for (const order of [files, files.toReversed(), [files[4]!, files[0]!, files[3]!, files[2]!, files[1]!]]) {
    const items: MediaItemRow[] = [];
    for (const file of order) items.push(await buildLivePhotoHalf(db, userId, live, file));
    const named = (name: string): MediaItemRow => items.find(({ filename }) => filename === name)!;
    assert.equal((await get(named('IMG_1.HEIC'))).motion_item_id, named('IMG_1.mov').id);
    assert.equal((await get(named('IMG_E1.HEIC'))).motion_item_id, named('IMG_E1.MOV').id);
    assert.equal((await get(named('IMG_1 copy.mov'))).visibility, 'visible');
    await db.deleteFrom('media_items').execute();
  }
});

test('moves the video with its photo to the trash and back, and lists one item in the trash', async () => {
  const [photo, video] = [
    await buildLivePhotoHalf(db, userId, live),
    await buildLivePhotoHalf(db, userId, live, videoFields),
  ];
  await trash(photo);
  assert.deepEqual([await list('visible'), await list('trash')], [[], [photo.id]]);
  assert.ok((await get(video)).deleted_at !== null);
  await restore(photo);
  assert.deepEqual([await list('visible'), await list('trash')], [[photo.id], []]);
  assert.equal((await get(video)).deleted_at, null);
});

test('trashes a video of two photos with the last of them', async () => {
  const [a, b] = [
    await buildLivePhotoHalf(db, userId, live),
    await buildLivePhotoHalf(db, userId, live, { filename: 'IMG_E0001.JPG' }),
  ];
  const video = await buildLivePhotoHalf(db, userId, live, videoFields);
  await trash(a);
  assert.equal((await get(video)).deleted_at, null);
  assert.equal((await get(a)).motion_item_id, null);
  await trash(b);
  assert.ok((await get(video)).deleted_at !== null);
  assert.deepEqual(await list('trash'), [a.id, b.id].toSorted());
});

test('lists a video that is trashed by itself, and plays nothing on its photo', async () => {
  const [photo, video] = [
    await buildLivePhotoHalf(db, userId, live),
    await buildLivePhotoHalf(db, userId, live, videoFields),
  ];
  await makePlayable(video, 'a/b/original');
  await trash(video);
  assert.deepEqual([await list('visible'), await list('trash')], [[photo.id], [video.id]]);
  assert.deepEqual([(await get(photo)).motion_item_id, (await get(photo)).motion_key], [null, null]);
  await restore(video);
  assert.deepEqual([await list('visible'), await list('trash')], [[photo.id], []]);
  assert.equal((await get(photo)).motion_key, 'a/b/original');
});

test('permanently deletes a video with its photo, but not a photo with its video', async () => {
  const [photo, video] = [
    await buildLivePhotoHalf(db, userId, live),
    await buildLivePhotoHalf(db, userId, live, videoFields),
  ];
  await trash(photo);
  assert.equal(await markForRemoval(db, userId, photo.id), true);
  assert.deepEqual((await listItemsForRemoval(db, 10)).map(({ id }) => id).toSorted(), [photo.id, video.id].toSorted());

  const [other, half] = [
    await buildLivePhotoHalf(db, userId, 'LIVE-2'),
    await buildLivePhotoHalf(db, userId, 'LIVE-2', videoFields),
  ];
  await trash(other);
  assert.equal(await markForRemoval(db, userId, half.id), true);
  await restore(other);
  assert.equal((await get(other)).motion_item_id, null);
  assert.equal((await listItemsForRemoval(db, 10)).length, 3);
});

test('deletes both halves from the trash at the same time', async () => {
  const [photo, video] = [
    await buildLivePhotoHalf(db, userId, live),
    await buildLivePhotoHalf(db, userId, live, videoFields),
  ];
  await trash(video);
  await db
    .updateTable('media_items')
    .set({ deleted_at: new Date(0) })
    .where('id', '=', video.id)
    .execute();
  await trash(photo);
  assert.deepEqual((await get(video)).deleted_at, (await get(photo)).deleted_at);
  assert.equal(await markExpiredTrash(db, 30), 0);
  await db
    .updateTable('media_items')
    .set({ deleted_at: new Date(0) })
    .execute();
  assert.equal(await markExpiredTrash(db, 30), 2);
});

test('restores the half that is uploaded again while both are in the trash', async () => {
  const [photo, video] = [
    await buildLivePhotoHalf(db, userId, live),
    await buildLivePhotoHalf(db, userId, live, videoFields),
  ];
  await trash(photo);
  const { checksum } = await get(video);
  assert.deepEqual(await insertMediaItem(db, newMediaItem(userId, { checksum })), { id: video.id, isNew: false });
  assert.deepEqual([await list('visible'), await list('trash')], [[video.id], [photo.id]]);
  await insertMediaItem(db, newMediaItem(userId, { checksum: photo.checksum }));
  assert.deepEqual([await list('visible'), await list('trash')], [[photo.id], []]);
});

/** A step of one of two concurrent callers on the halves of two Live Photos. */
const step = fc.record({
  kind: fc.constantFrom('photo', 'video', 'read', 'trash', 'restore', 'mark', 'upload', 'remove'),
  identifier: fc.constantFrom('A', 'B', null),
  filename: fc.constantFrom('IMG_1.HEIC', 'IMG_1.MOV', 'IMG_2.MOV'),
  index: fc.nat({ max: 100 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const perform = async (owner: string, { kind, identifier, filename, index }: Step): Promise<unknown> => {
  if (kind === 'photo') return buildLivePhotoHalf(db, owner, identifier, { filename });
  if (kind === 'video') return buildLivePhotoHalf(db, owner, identifier, { ...videoFields, filename });
  const items = await db
    .selectFrom('media_items')
    .select(['id', 'checksum'])
    .where('user_id', '=', owner)
    .where('removing_at', 'is', null)
    .orderBy('id')
    .execute();
  const item = items[index % Math.max(1, items.length)];
  if (kind === 'remove') {
    const marked = await listItemsForRemoval(db, 100);
    return deleteRemovedItems(
      db,
      marked.map(({ id }) => id),
    );
  }
  if (item === undefined) return undefined;
  if (kind === 'read') return recordMetadata(db, item.id, { content_identifier: identifier });
  if (kind === 'upload') return insertMediaItem(db, newMediaItem(owner, { checksum: item.checksum }));
  if (kind === 'mark') return markForRemoval(db, owner, item.id);
  const some = items.filter((_, n) => n % 2 === index % 2).map(({ id }) => id);
  return setTrashed(db, owner, some, kind === 'trash');
};

test('pairs all halves by the rules and keeps counts right after concurrent steps of two callers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, step), { minLength: 3, maxLength: 14 }), async (steps) => {
      const { id: owner } = await buildUser(db);
      for (const pair of steps) {
        const results = await Promise.allSettled(pair.map((each) => perform(owner, each)));
        for (const result of results) {
          // The other caller may have removed the item meanwhile, and both may start the same run.
          if (result.status === 'rejected') assert.match(String(result.reason), /not found/);
        }
      }
      const items = await db
        .selectFrom('media_items')
        .selectAll()
        .where('user_id', '=', owner)
        .where('removing_at', 'is', null)
        .execute();
      for (const [, group] of Map.groupBy(items, ({ content_identifier }) => content_identifier ?? randomUUID()))
        assert.deepEqual(matchHalves(group), []);
      for (const { visibility, id, deleted_at } of items) {
        const photos = items.filter(({ motion_item_id }) => motion_item_id === id);
        assert.equal(visibility === 'paired', photos.length > 0);
        for (const photo of photos) assert.equal(photo.deleted_at === null, deleted_at === null);
      }
      assert.deepEqual(await findAllCountErrors(db), []);
      await db.deleteFrom('users').where('id', '=', owner).execute();
    }),
    // Concurrent steps interleave differently each time, so shrinking finds no shorter example.
    { numRuns: runs(25), endOnFailure: true },
  );
});
