import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { sql } from 'kysely';
import { findAllCollectionCountErrors, findAllCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { insertAlbum } from '../features/albums/queries.ts';
import { addToCollection, listCollectionItems } from './collections.ts';
import { rollUpCounts, type MediaItemFilter } from './counts.ts';
import { listMediaItems } from './mediaItemLists.ts';
import { listItemsOfMonth } from '../features/timeline/queries.ts';
import { listYearsAgo } from '../features/years-ago/queries.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 6 });
after(drop);

const values = { name: 'Scans', description: null, isShared: false, isHidden: false };

/** Adds `count` items within one hour, most of them at the same time, and puts half of them into the album. */
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

/** Applies a change to about a third of the items, chosen by a hash of their id and `seed`. */
const change = async (
  userId: string,
  seed: number,
  set: 'favourite' | 'trash' | 'restore' | 'move' | 'move far' | 'remove',
): Promise<void> => {
  const chosen = sql`user_id = ${userId} and get_byte(sha256((id::text || ${seed}::text)::bytea), 0) % 3 = 0`;
  await {
    favourite: sql`update media_items set is_favourite = not is_favourite where ${chosen}`,
    trash: sql`update media_items set deleted_at = now() where ${chosen}`,
    restore: sql`update media_items set deleted_at = null where ${chosen}`,
    move: sql`update media_items set local_time = local_time + (${seed}::int % 90 - 45) * interval '20 seconds' where ${chosen}`,
    'move far': sql`update media_items set local_time = local_time + (${seed}::int % 90 - 45) * interval '13 hours' where ${chosen}`,
    remove: sql`delete from media_items where ${chosen} and get_byte(sha256(id::text::bytea), 1) < 60`,
  }[set].execute(db);
};

const filters: readonly MediaItemFilter[] = [
  { visibility: 'visible' },
  { visibility: 'visible', type: 'VIDEO' },
  { visibility: 'visible', isFavourite: true },
  { visibility: 'trash' },
];

const listIds = ({ items }: { readonly items: readonly { readonly id: string }[] }): string[] =>
  items.map(({ id }) => id);

/** Asserts that every page by number of every list matches OFFSET. */
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
    assert.deepEqual(listIds(page), all.slice((number - 1) * limit, number * limit), `page ${number}`);
    assert.equal(page.totalCount, all.length);
  }
};

const expectCountsRight = async (): Promise<void> => {
  assert.deepEqual(await findAllCountErrors(db), []);
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
};

const step = fc.record({
  does: fc.constantFrom('scans', 'roll up', 'roll up', 'favourite', 'trash', 'restore', 'move', 'move far', 'remove'),
  seed: fc.integer({ min: 1, max: 1_000 }),
  count: fc.integer({ min: 1, max: 40 }),
});

test('every page by number of every list is right after any changes, with any part of the counts rolled up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14, size: 'max' }), async (steps) => {
      const { id: userId } = await buildUser(db);
      const albumId = await insertAlbum(db, userId, values);
      await addScans(userId, albumId, 30, 1);
      await rollUpCounts(db, 1_000);
      for (const { does, seed, count } of steps) {
        if (does === 'scans') await addScans(userId, albumId, count, seed);
        else if (does === 'roll up') await rollUpCounts(db, count);
        else await change(userId, seed, does);
      }
      await expectCountsRight();
      await expectPagesRight(userId, albumId, 7);
      await db.deleteFrom('users').execute();
    }),
    { numRuns: runs(25) },
  );
});

test('pages are right after concurrent writes and roll-ups', async () => {
  const { id: userId } = await buildUser(db);
  const albumId = await insertAlbum(db, userId, values);
  const writing = new AbortController();
  const rollingUp = (async () => {
    while (!writing.signal.aborted) await rollUpCounts(db, 15);
  })();
  const writers = Array.from({ length: 3 }, async (_, writer) => {
    for (let n = 1; n <= 12; n++) {
      await addScans(userId, albumId, 8, writer + n);
      await sql`update media_items set is_favourite = true, local_time = local_time + interval '9 hours'
        where id = (select id from media_items where user_id = ${userId} order by random() limit 1 for update skip locked)`.execute(
        db,
      );
    }
  });
  try {
    await Promise.all(writers);
  } finally {
    writing.abort();
    await rollingUp;
  }
  await expectPagesRight(userId, albumId, 31);
  while ((await rollUpCounts(db, 100)) > 0);
  await expectCountsRight();
  await expectPagesRight(userId, albumId, 31);
  await db.deleteFrom('users').execute();
});

test('detects wrong monthly and total counts of a collection', async () => {
  const { id: userId } = await buildUser(db);
  const albumId = await insertAlbum(db, userId, values);
  await addScans(userId, albumId, 40, 5);
  await rollUpCounts(db, 1_000);
  const damageAndCheck = async (damage: ReturnType<typeof sql>) => {
    await damage.execute(db);
    return (await findAllCollectionCountErrors(db)).map(({ day, kept, found }) => [day, kept, found]);
  };
  const total = (n: number) => sql`update collections set item_count = ${n} where id = ${albumId}`;
  assert.deepEqual(await damageAndCheck(total(21)), [['-infinity', 21, 20]]);
  assert.deepEqual(await damageAndCheck(total(20)), []);
  assert.deepEqual(await damageAndCheck(sql`update counts set n = 19 where list_id = ${albumId}`), [
    ['-infinity', 20, 19],
    ['2020-05-01', 19, 20],
  ]);
  await db.deleteFrom('users').execute();
});
