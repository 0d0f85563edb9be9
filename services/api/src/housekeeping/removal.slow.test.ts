import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, afterEach, test } from 'node:test';
import { closeAlbum, listClosedAlbums } from '../features/albums/albumRemoval.ts';
import { insertAlbum } from '../features/albums/queries.ts';
import { acquireLease, LeaseLostError, releaseLease } from './leases/leases.ts';
import { markUserForRemoval } from '../accounts/users.ts';
import { faceKey, motionKey, originalKey, posterKey, previewKey, thumbnailKey } from '@hearth/core/objects/keys.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { makeFace, writeFaces } from '@hearth/testkit/rows/faces.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { emptyTrash, finishAlbumRemovals, removeMarked } from './removal.ts';

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

/** Creates an item with every kind of object that an item can have. */
const buildStored = async (userId: string, version = 1) => {
  const item = await buildMediaItem(db, userId);
  const changes = {
    preview_key: previewKey(userId, item.id, version),
    thumbnail_key: thumbnailKey(userId, item.id, version),
    poster_key: posterKey(userId, item.id, version),
    motion_key: motionKey(userId, item.id, version),
  };
  await db.updateTable('media_items').set(changes).where('id', '=', item.id).execute();
  const face = { ...makeFace(item), thumbnailKey: faceKey(userId, item.id, version, makeFace(item).box) };
  await writeFaces(db, item, [face]);
  const keys = [originalKey(userId, item.id), ...Object.values(changes), face.thumbnailKey];
  await put(...keys);
  return { id: item.id, keys: keys.toSorted() };
};

test('completes an interrupted removal from any point', async () => {
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

test('deletes all objects and rows of a removed user, and none of others', async () => {
  const [leaving, staying] = [await buildUser(db), await buildUser(db)];
  await buildStored(leaving.id);
  await put(originalKey(leaving.id, randomUUID()), `${leaving.id}/something-else`);
  const kept = await buildStored(staying.id);
  await markUserForRemoval(db, leaving.id);
  await removeMarked(deps, lease);
  assert.deepEqual(await api.listKeys(), kept.keys);
  assert.deepEqual(await listIds(), [kept.id]);
  assert.deepEqual(await db.selectFrom('users').select('id').execute(), [{ id: staying.id }]);
  assert.deepEqual(await db.selectFrom('removed_users').select('user_id').execute(), [{ user_id: leaving.id }]);
});

test('alternates between accounts, so that neither a large nor a failing one delays others', async () => {
  const [large, small] = [await buildUser(db), await buildUser(db)];
  for (const { id } of [large, small]) for (let count = 0; count < 3; count++) await buildStored(id);
  await put(...Array.from({ length: 2_100 }, () => previewKey(large.id, randomUUID(), 1)));
  await markUserForRemoval(db, large.id);
  await markUserForRemoval(db, small.id);
  const order: string[] = [];
  const watched = {
    ...objects,
    remove: async (keys: readonly string[]) => {
      if (keys.length > 0) order.push(keys[0]!.startsWith(large.id) ? 'large' : 'small');
      await objects.remove(keys);
    },
  };
  await removeMarked({ ...deps, objects: watched }, lease);
  assert.ok(order.indexOf('small') < 3, order.join(' '));
  assert.ok(order.lastIndexOf('large') > order.indexOf('small'));
  assert.deepEqual([await api.listKeys(), await listIds()], [[], []]);

  const [stuck, other] = [await buildUser(db), await buildUser(db)];
  for (const { id } of [stuck, other]) await buildStored(id);
  await markUserForRemoval(db, stuck.id);
  await markUserForRemoval(db, other.id);
  const failing = {
    ...objects,
    remove: async (keys: readonly string[]) => {
      if (keys.some((key) => key.startsWith(stuck.id))) throw new Error('disk failure');
      await objects.remove(keys);
    },
  };
  await assert.rejects(removeMarked({ ...deps, objects: failing }, lease), /could not remove all/);
  assert.deepEqual(await db.selectFrom('users').select('id').execute(), [{ id: stuck.id }]);
  await removeMarked(deps, lease);
  assert.deepEqual([await api.listKeys(), await db.selectFrom('users').select('id').execute()], [[], []]);
});

test('removes other items if one fails', async () => {
  const { id: userId } = await buildUser(db);
  const items = [];
  for (let count = 0; count < 5; count++) items.push(await buildStored(userId));
  const [stuck, ...others] = items.map(({ id }) => id);
  await mark(stuck!);
  await mark(...others);
  const failing = {
    ...objects,
    remove: async (keys: readonly string[]) => {
      if (keys.some((key) => key.includes(stuck!))) throw new Error('disk failure');
      await objects.remove(keys);
    },
  };
  await assert.rejects(removeMarked({ ...deps, objects: failing }, lease), /could not remove all/);
  assert.deepEqual([await listIds(), await api.listKeys()], [[stuck], items[0]!.keys]);
  await removeMarked(deps, lease);
  assert.deepEqual([await api.listKeys(), await listIds()], [[], []]);
});

test('removes items and accounts that are marked while a large account is being removed', async () => {
  const [large, other, staying] = [await buildUser(db), await buildUser(db), await buildUser(db)];
  await put(...Array.from({ length: 1_100 }, () => previewKey(large.id, randomUUID(), 1)));
  const [item, account] = [await buildStored(staying.id), await buildStored(other.id)];
  await markUserForRemoval(db, large.id);
  const order: string[] = [];
  const watched = {
    ...objects,
    remove: async (keys: readonly string[]) => {
      if (keys.length === 0) return;
      if (keys[0]!.startsWith(large.id) && order.push('large') === 1) {
        await mark(item.id);
        await markUserForRemoval(db, other.id);
      }
      if (keys.some((key) => item.keys.includes(key))) order.push('item');
      if (keys.some((key) => account.keys.includes(key))) order.push('account');
      await objects.remove(keys);
    },
  };
  await removeMarked({ ...deps, objects: watched }, lease);
  assert.deepEqual(order.slice(0, 2), ['large', 'item']);
  assert.ok(order.includes('account'), order.join(' '));
  assert.deepEqual([await api.listKeys(), await listIds()], [[], []]);
});

test('removes more items than one batch holds', async () => {
  const { id: userId } = await buildUser(db);
  const ids: string[] = [];
  for (let count = 0; count < 510; count++) ids.push((await buildMediaItem(db, userId)).id);
  await mark(...ids);
  await removeMarked(deps, lease);
  assert.deepEqual(await listIds(), []);
});

test('empties the trash of items older than the limit', async () => {
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

test('writes nothing after losing the lease', async () => {
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
});

const finish = () => finishAlbumRemovals(deps, lease, new AbortController().signal);

test('removes other albums if one fails', async () => {
  const { id: userId } = await buildUser(db);
  for (let count = 0; count < 3; count++) {
    const id = await insertAlbum(db, userId, { name: 'Sea', description: null, isShared: false, isHidden: false });
    await closeAlbum(db, userId, id);
  }
  const [, stuck] = await listClosedAlbums(db, 3);
  const { databaseUrl } = deps.config;
  await queryOnce(
    databaseUrl,
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
     create trigger refuse before delete on collections for each row when (old.id = '${stuck}') execute function refuse()`,
  );
  await assert.rejects(finish(), ({ errors }: AggregateError) => /not now/.test(String(errors)) && errors.length === 1);
  assert.deepEqual(await listClosedAlbums(db, 3), [stuck]);
  await queryOnce(databaseUrl, 'drop function refuse cascade');
  await finish();
  assert.deepEqual(await listClosedAlbums(db, 3), []);
});
