import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { sql } from 'kysely';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { rollUpCounts, type MediaItemFilter } from './counts.ts';
import { listMediaItems, type ListPosition, type MediaItemPage } from './mediaItemLists.ts';
import { setTrashed } from './trashed.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

const byNumber = (userId: string, filter: MediaItemFilter, number: number, limit: number): Promise<MediaItemPage> =>
  listMediaItems(db, userId, filter, { limit, start: { number } });

const emptyPage = (totalCount: number) => ({ items: [], sharedIds: new Set(), totalCount });

const listIds = ({ items }: MediaItemPage): string[] => items.map(({ id }) => id);

/** Returns a list's items by a plain query, as the reference for every page. */
const listAllIds = async (userId: string, filter: MediaItemFilter): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from media_items
    where user_id = ${userId} and visibility = ${filter.visibility} and type = coalesce(${filter.type ?? null}, type)
      and category = coalesce(${filter.category ?? null}, category) and status = coalesce(${filter.status ?? null}, status)
      and is_favourite = coalesce(${filter.isFavourite ?? null}, is_favourite)
    order by local_time desc, id desc`.execute(db);
  return rows.map(({ id }) => id);
};

/** Asserts that every page by number matches OFFSET, and that a walk by cursor returns each item once, in order. */
const expectPagesRight = async (userId: string, filter: MediaItemFilter, limit: number): Promise<void> => {
  const expected = await listAllIds(userId, filter);
  const pageCount = Math.ceil(expected.length / limit);
  for (let number = 1; number <= pageCount + 1; number++) {
    const page = await byNumber(userId, filter, number, limit);
    assert.deepEqual(listIds(page), expected.slice((number - 1) * limit, number * limit), `page ${number}`);
    assert.equal(page.totalCount, expected.length, `total on page ${number}`);
  }
  const walked: string[] = [];
  let after: ListPosition | undefined;
  for (;;) {
    const page = await listMediaItems(db, userId, filter, {
      limit,
      start: after === undefined ? { number: 1 } : { after },
    });
    walked.push(...listIds(page));
    const last = page.items.at(-1);
    if (last === undefined || walked.length > expected.length) break;
    after = { localTime: last.local_time, id: last.id };
  }
  assert.deepEqual(walked, expected);
};

/**
 * Times with many edge cases: equal times, midnight, month and year ends, neighbouring hours, leap years, and the first
 * and last possible date.
 */
const localTime = fc.oneof(
  fc.constantFrom('2022-04-03T12:56:11', '2022-04-03T12:56:11.000001', '2022-04-03T13:00:00'),
  fc.constantFrom('1999-12-31T23:59:59.999999', '2000-01-01T00:00:00', '2000-02-29T12:00:00', '2000-03-01T00:00:00'),
  fc.constantFrom('0001-01-01T00:00:00', '1826-07-04T10:00:00', '1969-12-31T23:00:00', '9999-12-31T23:59:59.999999'),
  fc
    .date({ min: new Date('1990-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 23)),
);

const item = fc.record({
  local_time: localTime,
  type: fc.constantFrom('PHOTO', 'PHOTO', 'VIDEO'),
  category: fc.constantFrom('DEFAULT', 'DEFAULT', 'LIVE'),
  status: fc.constantFrom('READY', 'READY', 'PROCESSING', 'FAILED'),
  is_hidden: fc.boolean().map((isHidden) => isHidden),
  is_favourite: fc.boolean(),
  is_trashed: fc.constantFrom(false, false, false, true),
});
type Item = typeof item extends fc.Arbitrary<infer Value> ? Value : never;

const insertAll = async (userId: string, items: readonly Item[]): Promise<void> => {
  await sql`
    insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, taken_at,
      local_time, type, category, status, is_hidden, is_favourite, deleted_at)
    select id, ${userId}, sha256(id::text::bytea), 'IMG.jpg', 'image/jpeg', 1, now(),
      local_time, type, category, status, is_hidden, is_favourite, case when is_trashed then now() end
    from (select gen_random_uuid() as id, * from jsonb_to_recordset(${JSON.stringify(items)}) as given (
      local_time timestamp, type text, category text, status text, is_hidden boolean, is_favourite boolean, is_trashed boolean)) as items`.execute(
    db,
  );
};

const filter: fc.Arbitrary<MediaItemFilter> = fc.record(
  {
    visibility: fc.constantFrom('visible', 'hidden', 'trash'),
    type: fc.constantFrom('PHOTO', 'VIDEO'),
    category: fc.constantFrom('DEFAULT', 'LIVE', 'PANORAMA'),
    status: fc.constantFrom('READY', 'FAILED'),
    isFavourite: fc.boolean(),
  },
  { requiredKeys: ['visibility'] },
);

test('every page by number and cursor is right in any library with any filter, with any part of the counts rolled up', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { maxLength: 120, size: 'max' }),
      fc.array(filter, { minLength: 1, maxLength: 2 }),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom(0, 20, 100_000),
      async (items, filters, limit, rolledUp) => {
        const [{ id: userId }, other] = [await buildUser(db), await buildUser(db)];
        await insertAll(other.id, items.slice(0, 10));
        await insertAll(userId, items);
        if (rolledUp > 0) await rollUpCounts(db, rolledUp);
        for (const filter of [{ visibility: 'visible' } as const, ...filters])
          await expectPagesRight(userId, filter, limit);
        await db.deleteFrom('users').execute();
      },
    ),
    { numRuns: runs(20) },
  );
});

test('pages of thousands of items in one hour, many at the same time, are right', async () => {
  const { id: userId } = await buildUser(db);
  await sql`
    insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time)
    select id, ${userId}, sha256(id::text::bytea), 'IMG.jpg', 'image/jpeg', 1, 'PHOTO', now(),
      timestamp '2022-04-03 12:00' + (case when n <= 4000 then n / 40 % 50 else n end) * interval '1 minute'
    from (select gen_random_uuid() as id, n from generate_series(1, 4300) as n) as items`.execute(db);
  await expectPagesRight(userId, { visibility: 'visible' }, 200);
  await rollUpCounts(db, 3);
  await expectPagesRight(userId, { visibility: 'visible' }, 199);
  while ((await rollUpCounts(db, 1_000)) > 0);
  await expectPagesRight(userId, { visibility: 'visible' }, 77);
});

test('pages by number stay right while items move between hours with and without roll-up', async () => {
  const { id: userId } = await buildUser(db);
  for (let n = 0; n < 30; n++) await buildMediaItem(db, userId, { local_time: `2022-04-03T${10 + (n % 12)}:30:00` });
  while ((await rollUpCounts(db, 1_000)) > 0);
  await sql`update media_items set local_time = local_time + interval '5 hours' where user_id = ${userId}`.execute(db);
  await expectPagesRight(userId, { visibility: 'visible' }, 4);
  await rollUpCounts(db, 7);
  await expectPagesRight(userId, { visibility: 'visible' }, 4);
  await db
    .deleteFrom('media_items')
    .where('user_id', '=', userId)
    .where('local_time', '>', '2022-04-03T20:00:00')
    .execute();
  await expectPagesRight(userId, { visibility: 'visible' }, 4);
});

test('an item is in exactly one list, whatever flags are set', async () => {
  const { id: userId } = await buildUser(db);
  const [visible, hidden, trashed, both] = [
    await buildMediaItem(db, userId),
    await buildMediaItem(db, userId, { is_hidden: true }),
    await buildMediaItem(db, userId),
    await buildMediaItem(db, userId, { is_hidden: true }),
  ];
  await setTrashed(db, userId, [trashed.id, both.id], true);
  const list = async (visibility: MediaItemFilter['visibility']) =>
    listIds(await byNumber(userId, { visibility }, 1, 10)).toSorted();
  assert.deepEqual(await list('visible'), [visible.id]);
  assert.deepEqual(await list('hidden'), [hidden.id]);
  assert.deepEqual(await list('trash'), [trashed.id, both.id].toSorted());
});

test('returns whole rows on every kind of page', async () => {
  const { id: userId } = await buildUser(db);
  for (let n = 0; n < 4; n++) await buildMediaItem(db, userId, { latitude: 48.8584, is_favourite: true });
  const list = { visibility: 'visible' } as const;
  const { items } = await byNumber(userId, list, 1, 4);
  assert.deepEqual(await db.selectFrom('media_items').selectAll().where('id', '=', items[2]!.id).execute(), [items[2]]);
  assert.deepEqual((await byNumber(userId, list, 2, 2)).items, items.slice(2));
  const after = { localTime: items[1]!.local_time, id: items[1]!.id };
  assert.deepEqual((await listMediaItems(db, userId, list, { limit: 2, start: { after } })).items, items.slice(2));
});

test('returns an empty page with the right total beyond the end and for an empty library', async () => {
  const { id: userId } = await buildUser(db);
  assert.deepEqual(await byNumber(userId, { visibility: 'visible' }, 1, 10), emptyPage(0));
  assert.deepEqual(await byNumber(userId, { visibility: 'visible' }, 5, 10), emptyPage(0));
  await buildMediaItem(db, userId);
  assert.deepEqual(await byNumber(userId, { visibility: 'visible' }, 2, 1), emptyPage(1));
  assert.deepEqual(await byNumber(userId, { visibility: 'visible' }, 9_000_000, 200), emptyPage(1));
  assert.deepEqual(await byNumber(randomUUID(), { visibility: 'visible' }, 1, 10), emptyPage(0));
});
