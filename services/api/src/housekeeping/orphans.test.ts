import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, afterEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { acquireLease, LeaseLostError, releaseLease } from './leases/leases.ts';
import { insertMediaItem } from '../features/uploads/insertMediaItem.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { faceKey, motionKey, originalKey, posterKey, previewKey, thumbnailKey } from '@hearth/core/objects/keys.ts';
import { StoreError } from '@hearth/core/objects/objectErrors.ts';
import { buildMediaItem, buildUser, newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { removeOrphans } from './orphans.ts';
import { removeMarked } from './removal.ts';

const api = await startTestApi();
const { deps } = api;
const { db, objects } = deps;
const lease = (await acquireLease(db, 'housekeeping', randomUUID(), 600_000))!;
after(() => api.stop());

afterEach(async () => {
  await db.deleteFrom('users').execute();
  await db.deleteFrom('orphans').execute();
  await objects.remove(await api.listKeys());
});

const day = 24 * 3_600_000;
const put = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await objects.put(key, Readable.from([Buffer.from('bytes')]));
};
/** Sweeps as if everything were old enough. */
const sweep = async () => removeOrphans(deps, lease, new Date(Date.now() + day));
const seenDaysAgo = async (days: number): Promise<void> => {
  await queryOnce(deps.config.databaseUrl, `update orphans set first_seen_at = now() - $1 * interval '1 day'`, [days]);
};
const lastSeenDaysAgo = async (days: number): Promise<void> => {
  const text = `update orphans set first_seen_at = now() - interval '40 days', last_seen_at = now() - $1 * interval '1 day'`;
  await queryOnce(deps.config.databaseUrl, text, [days]);
};
const listNoted = async (): Promise<string[]> =>
  (await db.selectFrom('orphans').select('media_item_id').execute()).map((row) => row.media_item_id).toSorted();
const gauges = async () =>
  Promise.all([metrics.orphans, metrics.orphanBytes].map(async (each) => (await each.get()).values[0]?.value));

test('an original without a row is never removed on sight, but noted, and counted for whoever watches', async () => {
  const { id: userId } = await buildUser(db);
  const [known, unknown] = [randomUUID(), randomUUID()];
  const keys = [originalKey(userId, known), originalKey(randomUUID(), unknown)].toSorted();
  await put(...keys);
  for (let sweeps = 0; sweeps < 3; sweeps++) assert.equal(await sweep(), 0);
  assert.deepEqual(await api.listKeys(), keys);
  assert.deepEqual(await listNoted(), [known, unknown].toSorted());
  assert.deepEqual(await gauges(), [2, 10]);
});

test('an original that has been seen without a row for 30 days goes, and not a day earlier', async () => {
  const key = originalKey(randomUUID(), randomUUID());
  await put(key);
  await sweep();
  await seenDaysAgo(29.9);
  await sweep();
  assert.deepEqual(await api.listKeys(), [key]);
  await seenDaysAgo(30);
  assert.equal(await sweep(), 1);
  assert.deepEqual([await api.listKeys(), await listNoted()], [[], []]);
  assert.deepEqual(await gauges(), [0, 0]);
});

test('an original begins its 30 days anew where no sweep has seen it for days, since nobody could know of it', async () => {
  const key = originalKey(randomUUID(), randomUUID());
  await put(key);
  await sweep();
  await lastSeenDaysAgo(3.1);
  for (let sweeps = 0; sweeps < 2; sweeps++) assert.equal(await sweep(), 0);
  assert.deepEqual(await api.listKeys(), [key]);
  await lastSeenDaysAgo(2.9);
  assert.equal(await sweep(), 1);
});

test('an original whose row appears meanwhile is forgotten as an orphan, and its days begin anew if that goes', async () => {
  const { id: userId } = await buildUser(db);
  const item = newMediaItem(userId);
  const key = originalKey(userId, item.id);
  await put(key);
  await sweep();
  await seenDaysAgo(40);
  await insertMediaItem(db, item);
  await sweep();
  assert.deepEqual([await api.listKeys(), await listNoted()], [[key], []]);
  await db.deleteFrom('media_items').where('id', '=', item.id).execute();
  await sweep();
  assert.deepEqual([await api.listKeys(), await listNoted()], [[key], [item.id]]);
});

test('what was removed on purpose and is found again goes at once: of an item, and of an account', async () => {
  const { id: userId } = await buildUser(db);
  const item = await buildMediaItem(db, userId, { deleted_at: new Date() });
  await db.updateTable('media_items').set({ removing_at: new Date() }).where('id', '=', item.id).execute();
  await removeMarked(deps, lease);
  const gone = randomUUID();
  await db.insertInto('removed_users').values({ user_id: gone }).execute();
  await put(originalKey(userId, item.id), originalKey(gone, randomUUID()));
  assert.equal(await sweep(), 2);
  assert.deepEqual(await api.listKeys(), []);
});

test('renditions that no row names are removed when they are a day old, and all other objects kept', async () => {
  const { id: userId } = await buildUser(db);
  const { id } = await buildMediaItem(db, userId);
  const current = {
    preview_key: previewKey(userId, id, 3),
    thumbnail_key: thumbnailKey(userId, id, 3),
    poster_key: posterKey(userId, id, 3),
    motion_key: motionKey(userId, id, 3),
  };
  await db.updateTable('media_items').set(current).where('id', '=', id).execute();
  const box = { left: 0, top: 0, width: 1, height: 1 };
  const lost = randomUUID();
  const orphans = [
    previewKey(userId, lost, 1),
    faceKey(randomUUID(), randomUUID(), 1, box),
    previewKey(userId, id, 2),
    thumbnailKey(userId, id, 1),
    posterKey(userId, id, 2),
    motionKey(userId, id, 2),
  ];
  const kept = [
    originalKey(userId, lost),
    originalKey(userId, id),
    ...Object.values(current),
    'notes',
    `${userId}/notes`,
    `${userId}/${lost}/notes`,
    `${userId}/${id}/deeper/notes`,
    `${userId.toUpperCase()}/${id}/original`,
  ];
  const young = previewKey(userId, randomUUID(), 1);
  await put(...orphans, ...kept);
  // Some stores round times down to seconds.
  await delay(1_100);
  const aDayAgo = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  await put(young);
  assert.equal(await removeOrphans(deps, lease, aDayAgo), orphans.length);
  assert.deepEqual(await api.listKeys(), [...kept, young].toSorted());
});

test('what an upload under way has stored is no orphan, and of a finished one its item decides', async () => {
  const { id: userId } = await buildUser(db);
  const [open, finished] = [randomUUID(), randomUUID()];
  for (const [id, itemId] of [
    [open, null],
    [finished, finished],
  ]) {
    await queryOnce(
      deps.config.databaseUrl,
      `insert into uploads (id, user_id, metadata, length_bytes, part_bytes, expires_at, media_item_id)
      values ($1, $2, '', 1, 1, now() + interval '1 day', $3)`,
      [id, userId, itemId],
    );
  }
  await put(originalKey(userId, open), originalKey(userId, finished), previewKey(userId, finished, 1));
  assert.equal(await sweep(), 1);
  assert.deepEqual(await listNoted(), [finished]);
});

test('an unfinished write that cannot be abandoned keeps no orphan', async () => {
  const { id: userId } = await buildUser(db);
  await put(previewKey(userId, randomUUID(), 1));
  const failing = { ...objects, removeUnfinished: () => Promise.reject(new StoreError('it is still there')) };
  assert.equal(await removeOrphans({ ...deps, objects: failing }, lease, new Date(Date.now() + day)), 1);
  assert.deepEqual(await api.listKeys(), []);
});

test('more orphans than one step takes are all noted', async () => {
  const { id: userId } = await buildUser(db);
  for (let count = 0; count < 510; count++) await put(originalKey(userId, randomUUID()));
  await sweep();
  assert.equal((await listNoted()).length, 510);
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

test('an item that is inserted while its original is being removed as an orphan is refused', async () => {
  const { id: userId } = await buildUser(db);
  const late = newMediaItem(userId);
  await put(originalKey(userId, late.id));
  await sweep();
  await seenDaysAgo(31);
  await sweepWhile(async () => {
    await assert.rejects(insertMediaItem(db, late), { code: 'UNAVAILABLE' });
  });
  assert.deepEqual(await api.listKeys(), []);
  await assert.rejects(insertMediaItem(db, late), { code: 'UNAVAILABLE' });
  assert.equal((await insertMediaItem(db, { ...late, id: randomUUID() })).isNew, true);
});

test('a rendition that a worker makes anew during the sweep stays, also where an old one lay there unrecorded', async () => {
  const { id: userId } = await buildUser(db);
  const { id } = await buildMediaItem(db, userId);
  const preview_key = previewKey(userId, id, 1);
  await put(originalKey(userId, id), preview_key, previewKey(userId, randomUUID(), 1));
  await sweepWhile(async () => {
    await put(preview_key);
    await db.updateTable('media_items').set({ preview_key }).where('id', '=', id).execute();
  });
  assert.deepEqual(await api.listKeys(), [originalKey(userId, id), preview_key].toSorted());
});

test('a holder whose lease has passed to another notes nothing and removes no original', async () => {
  const orphan = originalKey(randomUUID(), randomUUID());
  await put(orphan);
  await sweep();
  await seenDaysAgo(31);
  const frozen = (await acquireLease(db, 'frozen', randomUUID(), 600_000))!;
  await releaseLease(db, frozen);
  assert.ok(await acquireLease(db, 'frozen', randomUUID(), 600_000));
  await assert.rejects(removeOrphans(deps, frozen, new Date(Date.now() + day)), LeaseLostError);
  assert.deepEqual(await api.listKeys(), [orphan]);
});
