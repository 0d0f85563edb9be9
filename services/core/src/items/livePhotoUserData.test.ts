import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { expectCountsRight } from '@hearth/testkit/rows/expectCountsRight.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { videoFields, buildLivePhotoHalf, recordMetadata } from '@hearth/testkit/rows/livePhotos.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { insertAlbum, listAlbumsOfItem } from '@hearth/api/features/albums/queries.ts';
import { addToCollection, removeFromCollection } from '@hearth/api/lists/collections.ts';
import { getMediaItem } from './mediaItems.ts';
import type { MediaItemRow } from '../db/schema.ts';
import { updateMediaItem } from '@hearth/api/features/media-items/queries.ts';
import { setTrashed } from '@hearth/api/lists/trashed.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const { id: userId } = await buildUser(db);
afterEach(() => db.deleteFrom('media_items').execute());

const live = 'LIVE-1';
const get = ({ id }: { readonly id: string }): Promise<MediaItemRow> => getMediaItem(db, userId, id);
const trash = (...items: readonly MediaItemRow[]) =>
  setTrashed(
    db,
    userId,
    items.map(({ id }) => id),
    true,
  );
const restore = (item: MediaItemRow) => setTrashed(db, userId, [item.id], false);

test('copies favourite, albums and description of a video to each of its photos, once', async () => {
  const values = { name: 'Sea', description: null, isShared: false, isHidden: false };
  const [albumId, other] = [await insertAlbum(db, userId, values), await insertAlbum(db, userId, values)];
  const countAlbumItems = async ({ id }: MediaItemRow) =>
    Object.fromEntries(
      (await listAlbumsOfItem(db, userId, id, { limit: 10, start: { number: 1 } })).entries.map((album) => [
        album.id,
        album.itemCount,
      ]),
    );
  const [video, photo] = [
    await buildLivePhotoHalf(db, userId, null, videoFields),
    await buildLivePhotoHalf(db, userId, live),
  ];
  await addToCollection(db, userId, albumId, [video.id]);
  await updateMediaItem(db, userId, video.id, { favourite: true, description: 'Waves' });
  await recordMetadata(db, video.id, { content_identifier: live });
  assert.equal((await get(video)).visibility, 'paired');
  const paired = await get(photo);
  assert.deepEqual([paired.is_favourite, paired.description], [true, 'Waves']);
  assert.deepEqual(await countAlbumItems(photo), { [albumId]: 1 });

  // A second photo of the same video, with its own description and album.
  const second = await buildMediaItem(db, userId, { description: 'Mine' });
  await addToCollection(db, userId, other, [second.id]);
  await recordMetadata(db, second.id, { content_identifier: live });
  assert.deepEqual([(await get(second)).is_favourite, (await get(second)).description], [true, 'Mine']);
  assert.deepEqual(await countAlbumItems(second), { [albumId]: 2, [other]: 1 });

  await updateMediaItem(db, userId, photo.id, { favourite: false, description: null });
  await removeFromCollection(db, userId, albumId, [photo.id]);
  await recordMetadata(db, photo.id, { content_identifier: live });
  await recordMetadata(db, video.id, { content_identifier: live });
  await trash(photo, second);
  await restore(photo);
  await restore(second);
  const restored = await get(photo);
  assert.deepEqual([restored.is_favourite, restored.description, await countAlbumItems(photo)], [false, null, {}]);
  await expectCountsRight(db);
});

test('hides a photo whose video was hidden, once, and does not show it in the albums it joins', async () => {
  const values = { name: 'Sea', description: null, isShared: false, isHidden: false };
  const albumId = await insertAlbum(db, userId, values);
  const [video, photo] = [
    await buildLivePhotoHalf(db, userId, null, videoFields),
    await buildLivePhotoHalf(db, userId, live),
  ];
  await addToCollection(db, userId, albumId, [video.id]);
  await updateMediaItem(db, userId, video.id, { hidden: true });
  await recordMetadata(db, video.id, { content_identifier: live });
  assert.deepEqual([(await get(video)).visibility, (await get(photo)).visibility], ['paired', 'hidden']);
  const entries = await db
    .selectFrom('collection_items')
    .select('visibility')
    .where('media_item_id', '=', photo.id)
    .execute();
  assert.deepEqual(entries, [{ visibility: 'hidden' }]);

  await updateMediaItem(db, userId, photo.id, { hidden: false });
  await recordMetadata(db, video.id, { content_identifier: live });
  await trash(photo);
  await restore(photo);
  assert.equal((await get(photo)).visibility, 'visible');
  await expectCountsRight(db);
});
