import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { removeAccount } from '@hearth/testkit/rows/removeAccount.ts';
import { findAvailableBytes, rollUpStorage } from './quotas.ts';
import { markForRemoval } from '../features/trash/queries.ts';
import { hasDeltas } from '../lists/counts.ts';
import { getUser, markUserForRemoval, updateUser } from './users.ts';
import { setTrashed } from '../lists/trashed.ts';

const { db, url, drop } = await createMigratedDatabase();
after(drop);

/** Asserts that the stored usage equals the sum of the items. */
const assertUsage = async (): Promise<void> => {
  const rows = await queryOnce<{ kept: number; real: number }>(
    url,
    `select (coalesce((select used_bytes from user_storage where user_id = users.id), 0)
         + coalesce((select sum(bytes) from user_storage_deltas where user_id = users.id), 0))::float as kept,
       coalesce((select sum(size_bytes) from media_items where user_id = users.id), 0)::float as real
     from users`,
  );
  assert.ok(rows.length > 0);
  for (const { kept, real } of rows) assert.equal(kept, real);
};

test('keeps the stored usage equal to the sum of the items, however items are added or removed', async () => {
  const [ada, robin] = [await buildUser(db), await buildUser(db)];
  const items = [];
  for (const [user, size_bytes] of [
    [ada, 10],
    [robin, 2 ** 40],
    [ada, 5],
  ] as const) {
    items.push(await buildMediaItem(db, user.id, { size_bytes }));
    await assertUsage();
  }
  assert.equal((await getUser(db, robin.id)).used_bytes, 2 ** 40);
  await setTrashed(db, ada.id, [items[0]!.id], true);
  await markForRemoval(db, ada.id, items[0]!.id);
  await assertUsage();
  // Several accounts in one statement, as in a sweep or an administrator's query.
  await queryOnce(
    url,
    `insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time)
     select gen_random_uuid(), case when n % 2 = 0 then $1::uuid else $2 end, sha256(n::text::bytea), '', 'image/jpeg', n, 'PHOTO',
       now(), now()
     from generate_series(1, 100) as n`,
    [ada.id, robin.id],
  );
  await assertUsage();
  assert.equal((await getUser(db, ada.id)).used_bytes, 15 + 2_550);
  assert.equal(await rollUpStorage(db, 3), 3);
  await assertUsage();
  while ((await rollUpStorage(db, 1_000)) > 0);
  assert.equal(await hasDeltas(db, 'user_storage_deltas'), false);
  await assertUsage();
  await queryOnce(url, 'delete from media_items where size_bytes % 3 = 0');
  await assertUsage();
});

test('subtracts stored items and unfinished uploads from the quota', async () => {
  const user = await buildUser(db);
  assert.equal(await findAvailableBytes(db, user.id), undefined);
  await updateUser(db, user.id, { quotaBytes: 100 });
  assert.equal(await findAvailableBytes(db, user.id), 100);
  await buildMediaItem(db, user.id, { size_bytes: 30 });
  await queryOnce(
    url,
    `insert into uploads (id, user_id, metadata, length_bytes, part_bytes, expires_at)
     values (gen_random_uuid(), $1, '', 50, 50, now() + interval '1 day')`,
    [user.id],
  );
  assert.equal(await findAvailableBytes(db, user.id), 20);
  await updateUser(db, user.id, { quotaBytes: 0 });
  assert.equal(await findAvailableBytes(db, user.id), -80);
});

test('deletes the usage of a removed account', async () => {
  const user = await buildUser(db);
  await buildMediaItem(db, user.id, { size_bytes: 30 });
  await markUserForRemoval(db, user.id);
  await removeAccount(db, user.id);
  for (const table of ['user_storage', 'user_storage_deltas'])
    assert.deepEqual(await queryOnce(url, `select from ${table} where user_id = $1`, [user.id]), []);
  await assertUsage();
});
