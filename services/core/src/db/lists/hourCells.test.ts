import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { untilBlocked } from '../../testing/blockedQueries.ts';
import { findAllCellErrors, findAllFullHours, mendAllCollectionTotals } from '../../testing/countErrors.ts';
import { buildUser } from '../../testing/factories.ts';
import { createMigratedDatabase } from '../../testing/migratedDatabase.ts';
import { insertAlbum } from '../collections/albums.ts';
import { collectionLists, foldCollectionCounts } from '../collections/collectionCounts.ts';
import { addToCollection, listCollectionItems } from '../collections/collections.ts';
import { foldCounts, libraryLists, type MediaItemFilter } from './counts.ts';
import { deleteLeftCells, divideHours, findCellErrors, lockCells, usualCellSize } from './hourCells.ts';
import { listMediaItems } from './mediaItemLists.ts';
import { listItemsOfMonth } from './timeline.ts';
import { listYearsAgo } from './yearsAgo.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 6 });
after(drop);

/** So few that some dozen items divide an hour, and divide it again. */
const cellSize = 3;
const values = { name: 'Scans', description: null, isShared: false, isHidden: false };

/** Puts `count` items into one hour, at a few moments, most of them at the same one, and half of them into the album. */
const addScans = async (userId: string, albumId: string, count: number, seed: number): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, taken_at, local_time, type, status)
    select id, ${userId}, sha256(id::text::bytea), 'scan.jpg', 'image/jpeg', 1, now(),
      timestamp '2020-05-06 12:00' + greatest(0, n * ${seed}::int % 11 - 6) * interval '7.5 seconds',
      case when n % 3 = 0 then 'VIDEO' else 'PHOTO' end, 'READY'
    from (select gen_random_uuid() as id, n from generate_series(1, ${count}::int) as n) as made returning id`.execute(
    db,
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length > 1) await addToCollection(db, userId, albumId, ids.slice(0, ids.length >> 1));
};

/** Changes every item of which a hash falls into `share`. */
const change = async (
  userId: string,
  seed: number,
  set: 'favourite' | 'trash' | 'restore' | 'move' | 'remove',
): Promise<void> => {
  const chosen = sql`user_id = ${userId} and get_byte(sha256((id::text || ${seed}::text)::bytea), 0) % 3 = 0`;
  await {
    favourite: sql`update media_items set is_favourite = not is_favourite where ${chosen}`,
    trash: sql`update media_items set deleted_at = now() where ${chosen}`,
    restore: sql`update media_items set deleted_at = null where ${chosen}`,
    move: sql`update media_items set local_time = local_time + (${seed}::int % 90 - 45) * interval '20 seconds' where ${chosen}`,
    remove: sql`delete from media_items where ${chosen} and get_byte(sha256(id::text::bytea), 1) < 60`,
  }[set].execute(db);
};

const fold = async (limit: number): Promise<void> => {
  await db.transaction().execute((trx) => foldCounts(trx, limit, cellSize));
  await db.transaction().execute((trx) => foldCollectionCounts(trx, limit, cellSize));
};

const filters: readonly MediaItemFilter[] = [
  { visibility: 'visible' },
  { visibility: 'visible', type: 'VIDEO' },
  { visibility: 'visible', isFavourite: true },
  { visibility: 'trash' },
];

const idsOf = ({ items }: { readonly items: readonly { readonly id: string }[] }): string[] =>
  items.map(({ id }) => id);

/** Every page by its number, of every list, is the one by OFFSET. */
const expectPagesRight = async (userId: string, albumId: string, limit: number): Promise<void> => {
  for (const filter of filters) {
    const all = await listAll(sql`user_id = ${userId} and visibility = ${filter.visibility}
      and type = coalesce(${filter.type ?? null}, type) and is_favourite = coalesce(${filter.isFavourite ?? null}, is_favourite)`);
    await expectPages(all, limit, (start) => listMediaItems(db, userId, filter, { limit, start }));
  }
  const visible = sql`user_id = ${userId} and visibility = 'visible'`;
  const ofMonth = await listAll(sql`${visible} and local_time >= '2020-05-01' and local_time < '2020-06-01'`);
  await expectPages(ofMonth, limit, (start) => listItemsOfMonth(db, userId, '2020-05', { limit, start }));
  const ofDay = await listAll(sql`${visible} and local_time >= '2020-05-06' and local_time < '2020-05-07'`);
  const now = new Date('2024-05-06T12:00:00Z');
  await expectPages(ofDay, limit, (start) => listYearsAgo(db, userId, '0506', now, { limit, start }));
  const inAlbum = await listAll(
    sql`${visible} and id in (select media_item_id from collection_items where collection_id = ${albumId})`,
  );
  await expectPages(inAlbum, limit, (start) => listCollectionItems(db, albumId, { limit, start }));
};

const listAll = async (where: ReturnType<typeof sql>): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from media_items where ${where} order by local_time desc, id desc`.execute(db);
  return rows.map(({ id }) => id);
};

const expectPages = async (
  all: readonly string[],
  limit: number,
  list: (start: { number: number }) => ReturnType<typeof listMediaItems>,
): Promise<void> => {
  for (let number = 1; (number - 1) * limit <= all.length; number++) {
    const page = await list({ number });
    assert.deepEqual(idsOf(page), all.slice((number - 1) * limit, number * limit), `page ${number}`);
    assert.equal(page.totalCount, all.length);
  }
};

const expectCellsRight = async (): Promise<void> => {
  assert.deepEqual(await findAllCellErrors(db, libraryLists), []);
  assert.deepEqual(await findAllCellErrors(db, collectionLists), []);
};

const countCells = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from hour_bounds`.execute(db);
  return rows[0]!.n;
};

const step = fc.record({
  does: fc.constantFrom('scans', 'fold', 'fold', 'favourite', 'trash', 'restore', 'move', 'remove'),
  seed: fc.integer({ min: 1, max: 1_000 }),
  count: fc.integer({ min: 1, max: 40 }),
});

test('in a full hour every page by number is right, whatever has changed and however much of it is folded', async () => {
  let mostCells = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14, size: 'max' }), async (steps) => {
      const { id: userId } = await buildUser(db);
      const albumId = await insertAlbum(db, userId, values);
      await addScans(userId, albumId, 30, 1);
      await fold(1_000);
      for (const { does, seed, count } of steps) {
        if (does === 'scans') await addScans(userId, albumId, count, seed);
        else if (does === 'fold') await fold(count);
        else await change(userId, seed, does);
      }
      mostCells = Math.max(mostCells, await countCells());
      await expectCellsRight();
      await expectPagesRight(userId, albumId, 7);
      await db.deleteFrom('users').execute();
      await fold(10_000);
      while ((await deleteLeftCells(db, 7)) === 7);
      assert.equal(await countCells(), 0);
    }),
    { numRuns: 25 },
  );
  assert.ok(mostCells > 20, `${mostCells} cells test little`);
});

test('cells stay right while others write and a fold divides the hour', async () => {
  const { id: userId } = await buildUser(db);
  const albumId = await insertAlbum(db, userId, values);
  const writing = new AbortController();
  const folding = (async () => {
    while (!writing.signal.aborted) await fold(15);
  })();
  const writers = Array.from({ length: 3 }, async (_, writer) => {
    for (let n = 1; n <= 12; n++) {
      await addScans(userId, albumId, 8, writer + n);
      await sql`update media_items set is_favourite = true, local_time = local_time + interval '1 second'
        where id = (select id from media_items where user_id = ${userId} order by random() limit 1 for update skip locked)`.execute(
        db,
      );
    }
  });
  try {
    await Promise.all(writers);
  } finally {
    writing.abort();
    await folding;
  }
  await expectPagesRight(userId, albumId, 31);
  for (let n = 0; n < 40; n++) await fold(100);
  assert.ok((await countCells()) > 60);
  await expectCellsRight();
  await expectPagesRight(userId, albumId, 31);
  await db.deleteFrom('users').execute();
});

test('pages are right while thousands of changes of a full hour wait to be folded', async () => {
  const { id: userId } = await buildUser(db);
  const albumId = await insertAlbum(db, userId, values);
  await addScans(userId, albumId, 40, 5);
  await fold(1_000);
  assert.ok((await countCells()) > 10);
  await addScans(userId, albumId, 4_300, 3);
  await expectPagesRight(userId, albumId, 701);
  await db.deleteFrom('users').execute();
  await fold(20_000);
});

test('cells that are wrong are found and made anew', async () => {
  const { id: userId } = await buildUser(db);
  const albumId = await insertAlbum(db, userId, values);
  await addScans(userId, albumId, 40, 5);
  await fold(1_000);
  await sql`update hour_cells set n = n + 1 where list_id = ${userId} and ctid = (select max(ctid) from hour_cells where list_id = ${userId})`.execute(
    db,
  );
  await sql`delete from hour_cells where list_id = ${albumId}`.execute(db);
  for (const [lists, id] of [
    [libraryLists, userId],
    [collectionLists, albumId],
  ] as const) {
    const found = await findAllCellErrors(db, lists);
    assert.deepEqual(found, [{ listId: id, hour: '2020-05-06T12:00:00', from: null }]);
    await db.transaction().execute((trx) => divideHours(trx, found, lists, cellSize));
  }
  await expectCellsRight();
  await expectPagesRight(userId, albumId, 9);
});

test('totals of collections that are wrong are set right, and those that are right stay', async () => {
  const { id: userId } = await buildUser(db);
  const albumId = await insertAlbum(db, userId, values);
  await addScans(userId, albumId, 40, 5);
  await fold(1_000);
  assert.equal(await mendAllCollectionTotals(db), 0);
  for (const damage of [
    sql`update collection_totals set n = n + 1 where collection_id = ${albumId}`,
    sql`delete from collection_totals where collection_id = ${albumId}`,
  ]) {
    await damage.execute(db);
    assert.equal(await mendAllCollectionTotals(db), 1);
    const { rows } = await sql<{ n: number }>`select n from collection_totals where collection_id = ${albumId}`.execute(
      db,
    );
    assert.deepEqual(rows, [{ n: 20 }]);
  }
});

test('an hour is divided anew behind a fold that is writing its cells', async () => {
  const { id: userId } = await buildUser(db);
  const albumId = await insertAlbum(db, userId, values);
  await addScans(userId, albumId, 40, 5);
  await fold(1_000);
  await addScans(userId, albumId, 40, 7);
  const hour = { listId: userId, hour: '2020-05-06T12:00:00', from: null };
  const { dividing } = await db.transaction().execute(async (trx) => {
    await foldCounts(trx, 1_000, cellSize);
    const dividing = db.transaction().execute(async (other) => {
      await lockCells(other);
      await divideHours(other, [hour], libraryLists, cellSize);
    });
    await untilBlocked(db, '');
    return { dividing };
  });
  await dividing;
  await expectCellsRight();
  await fold(1_000);
  await expectPagesRight(userId, albumId, 9);
});

test('the cells of each library are checked by themselves', async () => {
  const [{ id: userId }, { id: otherId }] = [await buildUser(db), await buildUser(db)];
  const albumId = await insertAlbum(db, userId, values);
  await addScans(userId, albumId, 40, 5);
  await fold(1_000);
  await sql`update hour_cells set n = n + 1 where list_id = ${userId}`.execute(db);
  assert.deepEqual(await findCellErrors(db, libraryLists, [otherId]), []);
  assert.equal((await findCellErrors(db, libraryLists, [userId])).length, 1);
  await db.deleteFrom('users').execute();
});

test('a full hour of before there were cells is found, until it is divided', async () => {
  const { id: userId } = await buildUser(db);
  const albumId = await insertAlbum(db, userId, values);
  // Half of them are in the album.
  await addScans(userId, albumId, 4 * usualCellSize + 100, 5);
  const largeCells = 100_000;
  await db.transaction().execute((trx) => foldCounts(trx, 20_000, largeCells));
  await db.transaction().execute((trx) => foldCollectionCounts(trx, 20_000, largeCells));
  for (const [lists, id] of [
    [libraryLists, userId],
    [collectionLists, albumId],
  ] as const) {
    const full = await findAllFullHours(db, lists);
    assert.deepEqual(full, [{ listId: id, hour: '2020-05-06T12:00:00', from: null }]);
    await db.transaction().execute((trx) => divideHours(trx, full, lists));
    assert.deepEqual(await findAllFullHours(db, lists), []);
  }
  await expectCellsRight();
});
