import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, afterEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { acquireLease, LeaseLostError, releaseLease } from '@hearth/core/db/leases.ts';
import { insertMediaItem } from '@hearth/core/db/mediaItems.ts';
import { markUserForRemoval } from '@hearth/core/db/users.ts';
import { faceKey, motionKey, originalKey, posterKey, previewKey, thumbnailKey } from '@hearth/core/objects/keys.ts';
import { buildMediaItem, buildUser, newMediaItem } from '@hearth/core/testing/factories.ts';
import { faceOn, writeFaces } from '@hearth/core/testing/faces.ts';
import { startTestApi } from '../testing/testApi.ts';
import { emptyTrash, removeMarked, removeOrphans } from './removal.ts';

const api = await startTestApi();
const { deps } = api;
const { db, objects } = deps;
const lease = (await acquireLease(db, 'housekeeping', randomUUID(), 600_000))!;
after(() => api.stop());

afterEach(async () => {
  await db.deleteFrom('users').execute();
  await objects.remove(await api.listKeys());
});

const day = 24 * 3_600_000;
const put = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await objects.put(key, Readable.from([Buffer.from('bytes')]));
};
const listIds = async (): Promise<string[]> =>
  (await db.selectFrom('media_items').select('id').execute()).map(({ id }) => id).toSorted();
const mark = async (...ids: string[]): Promise<void> => {
  await db
    .updateTable('media_items')
    .set({ deleted_at: new Date(), removing_at: new Date() })
    .where('id', 'in', ids)
    .execute();
};

/** An item with all objects that one can have. */
const buildStored = async (userId: string, version = 1) => {
  const item = await buildMediaItem(db, userId);
  const changes = {
    preview_key: previewKey(userId, item.id, version),
    thumbnail_key: thumbnailKey(userId, item.id, version),
    poster_key: posterKey(userId, item.id, version),
    motion_key: motionKey(userId, item.id, version),
  };
  await db.updateTable('media_items').set(changes).where('id', '=', item.id).execute();
  const face = { ...faceOn(item), thumbnailKey: faceKey(userId, item.id, version, faceOn(item).box) };
  await writeFaces(db, item, [face]);
  const keys = [originalKey(userId, item.id), ...Object.values(changes), face.thumbnailKey];
  await put(...keys);
  return { id: item.id, keys: keys.toSorted() };
};

test('a removal that was cut off is finished, wherever that was', async () => {
  const { id: userId } = await buildUser(db);
  const kept = await buildStored(userId);
  const [nothingDone, halfDone, objectsGone] = [
    await buildStored(userId),
    await buildStored(userId),
    await buildStored(userId),
  ];
  await mark(nothingDone.id, halfDone.id, objectsGone.id);
  await objects.remove([...halfDone.keys.slice(1), ...objectsGone.keys]);
  await removeMarked(deps, lease);
  assert.deepEqual(await listIds(), [kept.id]);
  assert.deepEqual(await api.listKeys(), kept.keys);
  assert.deepEqual(await db.selectFrom('component_runs').select('media_item_id').distinct().execute(), [
    { media_item_id: kept.id },
  ]);
});

test('a removed user loses every object and every row, and nobody else any', async () => {
  const [leaving, staying] = [await buildUser(db), await buildUser(db)];
  await buildStored(leaving.id);
  await put(originalKey(leaving.id, randomUUID()), `${leaving.id}/something-else`);
  const kept = await buildStored(staying.id);
  await markUserForRemoval(db, leaving.id);
  await removeMarked(deps, lease);
  assert.deepEqual(await api.listKeys(), kept.keys);
  assert.deepEqual(await listIds(), [kept.id]);
  assert.deepEqual(await db.selectFrom('users').select('id').execute(), [{ id: staying.id }]);
});

test('more items than one step takes are all removed', async () => {
  const { id: userId } = await buildUser(db);
  const ids: string[] = [];
  for (let count = 0; count < 510; count++) ids.push((await buildMediaItem(db, userId)).id);
  await mark(...ids);
  await removeMarked(deps, lease);
  assert.deepEqual(await listIds(), []);
});

test('the trash is emptied of what has been in it for longer than it is kept', async () => {
  const { id: userId } = await buildUser(db);
  const trashed = async (days: number) =>
    (await buildMediaItem(db, userId, { deleted_at: new Date(Date.now() - days * day) })).id;
  const [old, recent] = [await trashed(30.1), await trashed(29.9)];
  await buildMediaItem(db, userId);
  await emptyTrash(deps, lease, 30);
  const marked = await db.selectFrom('media_items').select('id').where('removing_at', 'is not', null).execute();
  assert.deepEqual(marked, [{ id: old }]);
  assert.ok((await listIds()).includes(recent));
});

test('objects that no row names are removed when they are old, and all others kept', async () => {
  const { id: userId } = await buildUser(db);
  const { id, keys } = await buildStored(userId, 3);
  const marked = await buildStored(userId);
  await mark(marked.id);
  const orphans = [
    originalKey(userId, randomUUID()),
    originalKey(randomUUID(), randomUUID()),
    previewKey(userId, randomUUID(), 1),
    previewKey(userId, id, 2),
    thumbnailKey(userId, id, 1),
    posterKey(userId, id, 2),
    motionKey(userId, id, 2),
    previewKey(userId, id, 2, 'mp4'),
    faceKey(userId, id, 2, { left: 0, top: 0, width: 1, height: 1 }),
  ];
  const foreign = [
    'notes',
    `${userId}/notes`,
    `${userId}/${id}/deeper/notes`,
    `${userId.toUpperCase()}/${id}/original`,
  ];
  const young = originalKey(userId, randomUUID());
  await put(...orphans, ...foreign);
  // Some stores round times down to seconds.
  await delay(1_100);
  const aDayAgo = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  await put(young);
  const removed = await removeOrphans(deps, lease, aDayAgo);
  assert.equal(removed, orphans.length);
  assert.deepEqual(await api.listKeys(), [...keys, ...marked.keys, ...foreign, young].toSorted());
});

test('more orphans than one step takes are all removed', async () => {
  const { id: userId } = await buildUser(db);
  for (let count = 0; count < 510; count++) await put(originalKey(userId, randomUUID()));
  assert.equal(await removeOrphans(deps, lease, new Date(Date.now() + day)), 510);
  assert.deepEqual(await api.listKeys(), []);
});

/** Sweeps with a store that, before it removes anything, waits until `meanwhile` is done: as long as a process may be frozen. */
const sweepWhile = async (meanwhile: () => Promise<void>): Promise<void> => {
  const slow = {
    ...objects,
    remove: async (keys: readonly string[]) => {
      await meanwhile();
      await objects.remove(keys);
    },
  };
  await removeOrphans({ ...deps, objects: slow }, lease, new Date(Date.now() + day));
};

test('an item that is inserted while its object is being removed as an orphan is refused', async () => {
  const { id: userId } = await buildUser(db);
  const late = newMediaItem(userId);
  await put(originalKey(userId, late.id));
  await sweepWhile(async () => {
    await assert.rejects(insertMediaItem(db, late), { code: 'UNAVAILABLE' });
  });
  assert.deepEqual([await listIds(), await api.listKeys()], [[], []]);
  await assert.rejects(insertMediaItem(db, late), { code: 'UNAVAILABLE' });
  assert.equal((await insertMediaItem(db, { ...late, id: randomUUID() })).isNew, true);
});

test('a rendition that a worker makes anew during the sweep stays, also where an old one lay there unrecorded', async () => {
  const { id: userId } = await buildUser(db);
  const { id } = await buildMediaItem(db, userId);
  const orphan = originalKey(userId, randomUUID());
  const preview_key = previewKey(userId, id, 1);
  await put(originalKey(userId, id), preview_key, orphan);
  await sweepWhile(async () => {
    await put(preview_key);
    await db.updateTable('media_items').set({ preview_key }).where('id', '=', id).execute();
  });
  assert.deepEqual(await api.listKeys(), [originalKey(userId, id), preview_key].toSorted());
});

test('a holder whose lease has passed to another writes nothing', async () => {
  const leaving = await buildUser(db);
  const { id } = await buildMediaItem(db, leaving.id, { deleted_at: new Date(0) });
  const frozen = (await acquireLease(db, 'frozen', randomUUID(), 600_000))!;
  await releaseLease(db, frozen);
  assert.ok(await acquireLease(db, 'frozen', randomUUID(), 600_000));
  await assert.rejects(emptyTrash(deps, frozen, 30), LeaseLostError);
  await mark(id);
  await assert.rejects(removeMarked(deps, frozen), LeaseLostError);
  await db.updateTable('media_items').set({ removing_at: null }).execute();
  await markUserForRemoval(db, leaving.id);
  await assert.rejects(removeMarked(deps, frozen), LeaseLostError);
  assert.deepEqual(await listIds(), [id]);
  const orphan = originalKey(leaving.id, randomUUID());
  await put(orphan);
  await assert.rejects(removeOrphans(deps, frozen, new Date(Date.now() + day)), LeaseLostError);
  assert.deepEqual(await api.listKeys(), [orphan]);
});
