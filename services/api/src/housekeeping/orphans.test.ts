import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, afterEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { acquireLease, LeaseLostError, releaseLease } from './leases/leases.ts';
import { insertMediaItem } from '../ingest/insertMediaItem.ts';
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
/** Sweeps with an age limit that includes every object. */
const sweep = async () => removeOrphans(deps, lease, new Date(Date.now() + day));
const setFirstSeenDaysAgo = async (days: number): Promise<void> => {
  await queryOnce(deps.config.databaseUrl, `update orphans set first_seen_at = now() - $1 * interval '1 day'`, [days]);
};
const setLastSeenDaysAgo = async (days: number): Promise<void> => {
  const text = `update orphans set first_seen_at = now() - interval '40 days', last_seen_at = now() - $1 * interval '1 day'`;
  await queryOnce(deps.config.databaseUrl, text, [days]);
};
const listRecorded = async (): Promise<string[]> =>
  (await db.selectFrom('orphans').select('media_item_id').execute()).map((row) => row.media_item_id).toSorted();
const gauges = async () =>
  Promise.all([metrics.orphans, metrics.orphanBytes].map(async (each) => (await each.get()).values[0]?.value));

test('records an original without a row in the metrics, and does not delete it', async () => {
  const { id: userId } = await buildUser(db);
  const [known, unknown] = [randomUUID(), randomUUID()];
  const keys = [originalKey(userId, known), originalKey(randomUUID(), unknown)].toSorted();
  await put(...keys);
  for (let sweeps = 0; sweeps < 3; sweeps++) assert.equal(await sweep(), 0);
  assert.deepEqual(await api.listKeys(), keys);
  assert.deepEqual(await listRecorded(), [known, unknown].toSorted());
  assert.deepEqual(await gauges(), [2, 10]);
});

test('deletes an original after 30 days without a row, not earlier', async () => {
  const key = originalKey(randomUUID(), randomUUID());
  await put(key);
  await sweep();
  await setFirstSeenDaysAgo(29.9);
  await sweep();
  assert.deepEqual(await api.listKeys(), [key]);
  await setFirstSeenDaysAgo(30);
  assert.equal(await sweep(), 1);
  assert.deepEqual([await api.listKeys(), await listRecorded()], [[], []]);
  assert.deepEqual(await gauges(), [0, 0]);
});

test('restarts the 30 days if no sweep has run for days, because no one could notice the orphan', async () => {
  const key = originalKey(randomUUID(), randomUUID());
  await put(key);
  await sweep();
  await setLastSeenDaysAgo(3.1);
  for (let sweeps = 0; sweeps < 2; sweeps++) assert.equal(await sweep(), 0);
  assert.deepEqual(await api.listKeys(), [key]);
  await setLastSeenDaysAgo(2.9);
  assert.equal(await sweep(), 1);
});

test('forgets an orphan whose row appears, and restarts the 30 days if the row disappears again', async () => {
  const { id: userId } = await buildUser(db);
  const item = newMediaItem(userId);
  const key = originalKey(userId, item.id);
  await put(key);
  await sweep();
  await setFirstSeenDaysAgo(40);
  await insertMediaItem(db, item);
  await sweep();
  assert.deepEqual([await api.listKeys(), await listRecorded()], [[key], []]);
  await db.deleteFrom('media_items').where('id', '=', item.id).execute();
  await sweep();
  assert.deepEqual([await api.listKeys(), await listRecorded()], [[key], [item.id]]);
});

test('deletes the original of a removed item or account at once', async () => {
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

test('deletes unreferenced renditions after a day and keeps all other objects', async () => {
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

test('keeps the original of an unfinished upload, and decides by the item after the upload is finished', async () => {
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
  assert.deepEqual(await listRecorded(), [finished]);
});

test('deletes orphans even if aborting an unfinished write fails', async () => {
  const { id: userId } = await buildUser(db);
  await put(previewKey(userId, randomUUID(), 1));
  const failing = { ...objects, removeUnfinished: () => Promise.reject(new StoreError('it is still there')) };
  assert.equal(await removeOrphans({ ...deps, objects: failing }, lease, new Date(Date.now() + day)), 1);
  assert.deepEqual(await api.listKeys(), []);
});

test('records more orphans than one batch holds', async () => {
  const { id: userId } = await buildUser(db);
  for (let count = 0; count < 510; count++) await put(originalKey(userId, randomUUID()));
  await sweep();
  assert.equal((await listRecorded()).length, 510);
});

/** Sweeps with a store that waits for `meanwhile` before it deletes anything, like a frozen process. */
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

test('rejects an item whose original is being deleted as an orphan', async () => {
  const { id: userId } = await buildUser(db);
  const late = newMediaItem(userId);
  await put(originalKey(userId, late.id));
  await sweep();
  await setFirstSeenDaysAgo(31);
  await sweepWhile(async () => {
    await assert.rejects(insertMediaItem(db, late), { code: 'UNAVAILABLE' });
  });
  assert.deepEqual(await api.listKeys(), []);
  await assert.rejects(insertMediaItem(db, late), { code: 'UNAVAILABLE' });
  assert.equal((await insertMediaItem(db, { ...late, id: randomUUID() })).isNew, true);
});

test('keeps a rendition that a worker writes during the sweep, even over an unrecorded old one', async () => {
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

test('records nothing and deletes no original after losing the lease', async () => {
  const orphan = originalKey(randomUUID(), randomUUID());
  await put(orphan);
  await sweep();
  await setFirstSeenDaysAgo(31);
  const frozen = (await acquireLease(db, 'frozen', randomUUID(), 600_000))!;
  await releaseLease(db, frozen);
  assert.ok(await acquireLease(db, 'frozen', randomUUID(), 600_000));
  await assert.rejects(removeOrphans(deps, frozen, new Date(Date.now() + day)), LeaseLostError);
  assert.deepEqual(await api.listKeys(), [orphan]);
});
