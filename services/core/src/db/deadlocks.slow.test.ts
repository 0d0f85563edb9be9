import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { waitUntilBlocked } from '@hearth/testkit/database/blockedQueries.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { deleteAlbum } from '@hearth/testkit/rows/deleteAlbum.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { insertAlbum } from '@hearth/api/features/albums/queries.ts';
import { addToCollection } from '@hearth/api/lists/collections.ts';
import { transaction, type Database } from './database.ts';
import { markExpiredTrash } from '@hearth/api/features/trash/removal.ts';
import { setFlag } from '@hearth/api/features/media-items/queries.ts';
import { setTrashed } from '@hearth/api/lists/trashed.ts';

const maxConnections = 10;
const { db, drop } = await createMigratedDatabase({ maxConnections });
after(drop);

/** Inserts items whose order in the table differs from the order of their ids. */
const insertItems = async (userId: string, isTrashed: boolean): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time, deleted_at)
    select id, ${userId}, sha256(id::text::bytea), 'a.jpg', 'image/jpeg', 1, 'PHOTO', now(), timestamp '2022-04-03 12:00',
      case when ${isTrashed} then now() - interval '40 days' end
    from (select gen_random_uuid() as id, n from generate_series(1, 150) as n) as made returning id`.execute(db);
  return rows.map(({ id }) => id);
};

/** Returns the number of deadlocks in this database, after all connections have flushed their statistics. */
const countDeadlocks = async (): Promise<number> => {
  await Promise.all(
    Array.from({ length: maxConnections }, () =>
      db.connection().execute(async (connection) => {
        await sql`select pg_stat_force_next_flush()`.execute(connection);
        // Keeps the connection busy, so that each connection of the pool is used once.
        await sql`select pg_sleep(0.2)`.execute(connection);
      }),
    ),
  );
  const { rows } = await sql<{ n: number }>`
    select deadlocks as n from pg_stat_database where datname = current_database()`.execute(db);
  return rows[0]!.n;
};

const touch = (trx: Database, id: string) =>
  trx.updateTable('media_items').set({ is_favourite: true }).where('id', '=', id).execute();

test('repeats a transaction that a deadlock has aborted', async () => {
  const { id: userId } = await buildUser(db);
  const [one, other] = (await insertItems(userId, false)) as [string, string];
  let attempts = 0;
  const bothHoldOne = Promise.withResolvers<void>();
  const crosswise = (first: string, second: string) =>
    transaction(db, async (trx) => {
      attempts += 1;
      const attempt = attempts;
      await touch(trx, first);
      if (attempt === 1) await bothHoldOne.promise;
      else bothHoldOne.resolve();
      await touch(trx, second);
    });
  await Promise.all([crosswise(one, other), crosswise(other, one)]);
  assert.equal(attempts, 3);
});

test('repeats a single statement that a deadlock has aborted', async () => {
  const names = ['near', 'far'];
  for (const name of names) await sql`create table ${sql.table(name)} as select 1 as n`.execute(db);
  await sql`
    create function read_both() returns integer language plpgsql as $$
    begin
      perform from near;
      return (select n from far);
    end $$`.execute(db);
  const isFarLocked = Promise.withResolvers<void>();
  let untilRead: Promise<void> | undefined;
  const changed = transaction(db, async (trx) => {
    await sql`lock table far`.execute(trx);
    isFarLocked.resolve();
    // The session that has waited longer checks for a deadlock first and is aborted: the reader.
    await (untilRead ??= waitUntilBlocked(db, 'read_both'));
    await sql`update far set n = 2`.execute(trx);
    await sql`lock table near`.execute(trx);
  });
  await isFarLocked.promise;
  const { rows } = await sql<{ n: number }>`select read_both() as n`.execute(db);
  assert.ok([1, 2].includes(rows[0]!.n));
  await changed;
});

test('deletes albums while their items are hidden and shown, without a deadlock', async () => {
  const before = await countDeadlocks();
  const { id: userId } = await buildUser(db);
  const ids = await insertItems(userId, false);
  for (let round = 0; round < 60; round++) {
    const values = { name: 'Holiday', description: null, isShared: false, isHidden: false };
    const albumId = await insertAlbum(db, userId, values);
    await addToCollection(db, userId, albumId, ids);
    await Promise.all([
      setFlag(db, userId, ids, 'hidden', round % 2 === 0),
      // In one batch in every third round, otherwise in several.
      deleteAlbum(db, userId, albumId, round % 3 === 0 ? 500 : 40),
      setFlag(db, userId, ids.slice(0, 80), 'hidden', round % 2 === 1),
    ]);
  }
  assert.equal((await countDeadlocks()) - before, 0);
});

test('restores items while the trash expires, and removes no restored item', async () => {
  const { id: userId } = await buildUser(db);
  for (let round = 0; round < 8; round++) {
    const ids = await insertItems(userId, true);
    const restoring = setTrashed(db, userId, ids, false).catch((error: Error) =>
      assert.equal(error.message, 'media item not found'),
    );
    await Promise.all([restoring, markExpiredTrash(db, 30)]);
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from media_items where user_id = ${userId} and deleted_at is null and removing_at is not null`.execute(
      db,
    );
    assert.deepEqual(rows, [{ n: 0 }]);
  }
});
