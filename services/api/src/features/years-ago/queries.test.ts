import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { sql } from 'kysely';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { rollUpCounts } from '../../lists/counts.ts';
import type { MediaItemPage } from '../../lists/mediaItemLists.ts';
import { listDaysAgo, listYearsAgo } from './queries.ts';
import { setFlag } from '../media-items/queries.ts';
import { setTrashed } from '../../lists/trashed.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

const now = new Date('2026-11-21T12:00:00Z');
const firstPage = { limit: 100, start: { number: 1 } } as const;
const timesOf = ({ items }: MediaItemPage): string[] => items.map(({ local_time }) => local_time);

/** Creates a user with an item at each of these times. */
const userWith = async (...times: readonly string[]): Promise<{ userId: string; ids: string[] }> => {
  const { id: userId } = await buildUser(db);
  const ids: string[] = [];
  for (const local_time of times) ids.push((await buildMediaItem(db, userId, { local_time })).id);
  return { userId, ids };
};

test('lists items of a day in earlier years, newest first, without the neighbouring days', async () => {
  const { userId } = await userWith(
    '2020-04-02T23:59:59.999999',
    '2020-04-03T00:00:00',
    '2020-04-03T23:59:59.999999',
    '2020-04-04T00:00:00',
    '1957-04-03T08:00:00',
    '2026-04-03T08:00:00',
    '2031-04-03T08:00:00',
    '2025-04-03T08:00:00',
  );
  const page = await listYearsAgo(db, userId, '0403', now, firstPage);
  assert.deepEqual(timesOf(page), [
    '2025-04-03T08:00:00',
    '2020-04-03T23:59:59.999999',
    '2020-04-03T00:00:00',
    '1957-04-03T08:00:00',
  ]);
  assert.equal(page.totalCount, 4);
  assert.deepEqual(await listYearsAgo(db, (await userWith()).userId, '0403', now, firstPage), {
    items: [],
    sharedIds: new Set(),
    totalCount: 0,
  });
});

test('February 29 includes February 28 of other years, but not the other way round', async () => {
  const { userId } = await userWith(
    '2024-02-29T10:00:00',
    '2024-02-28T10:00:00',
    '2023-02-28T10:00:00',
    '1900-02-28T10:00:00',
  );
  assert.deepEqual(timesOf(await listYearsAgo(db, userId, '0229', now, firstPage)), [
    '2024-02-29T10:00:00',
    '2023-02-28T10:00:00',
    '1900-02-28T10:00:00',
  ]);
  assert.deepEqual(timesOf(await listYearsAgo(db, userId, '0228', now, firstPage)), [
    '2024-02-28T10:00:00',
    '2023-02-28T10:00:00',
    '1900-02-28T10:00:00',
  ]);
});

test('excludes hidden and trashed items at once', async () => {
  const { userId, ids } = await userWith('2020-04-03T10:00:00', '2021-04-03T10:00:00', '2022-04-03T10:00:00');
  while ((await rollUpCounts(db, 100)) > 0);
  await setFlag(db, userId, [ids[0]!], 'hidden', true);
  await setTrashed(db, userId, [ids[1]!], true);
  const { items, totalCount } = await listYearsAgo(db, userId, '0403', now, firstPage);
  assert.deepEqual([items.map(({ id }) => id), totalCount], [[ids[2]], 1]);
});

const yearsOf = (monthDate: string, at: string): string[] =>
  listDaysAgo(monthDate, new Date(at)).map((day) => day.slice(0, 4));

test("excludes today and includes last year's day in all time zones at the turn of the year", () => {
  // In Kiribati the year 2027 has started, while on Baker Island it is still the 30th.
  assert.equal(yearsOf('0101', '2026-12-31T11:00:00Z')[0], '2026');
  assert.equal(yearsOf('1231', '2027-01-01T05:00:00Z')[0], '2025');
  assert.equal(yearsOf('1231', '2027-01-02T00:00:00Z')[0], '2026');
  assert.equal(yearsOf('1225', '2026-11-21T12:00:00Z')[0], '2025');
});

test('every page by number matches OFFSET, and a walk by cursor returns each item once, in order', async () => {
  const time = fc
    .record({
      year: fc.integer({ min: 2018, max: 2025 }),
      day: fc.constantFrom('04-03', '04-04'),
      hour: fc.nat({ max: 3 }),
    })
    .map(({ year, day, hour }) => `${year}-${day}T0${hour}:00:00`);
  await fc.assert(
    fc.asyncProperty(
      fc.array(time, { maxLength: 25 }),
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      async (times, limit, isRolledUp) => {
        const { userId } = await userWith(...times);
        if (isRolledUp) while ((await rollUpCounts(db, 100)) > 0);
        const { rows } = await sql<{ id: string }>`select id from media_items
        where user_id = ${userId} and to_char(local_time, 'MMDD') = '0403' order by local_time desc, id desc`.execute(
          db,
        );
        const expected = rows.map(({ id }) => id);
        for (let number = 1; number <= expected.length / limit + 2; number++) {
          const page = await listYearsAgo(db, userId, '0403', now, { limit, start: { number } });
          assert.deepEqual(
            page.items.map(({ id }) => id),
            expected.slice((number - 1) * limit, number * limit),
          );
          assert.equal(page.totalCount, expected.length);
        }
        const walked: string[] = [];
        for (
          let page = await listYearsAgo(db, userId, '0403', now, { limit, start: { number: 1 } });
          page.items.length > 0;
        ) {
          walked.push(...page.items.map(({ id }) => id));
          const { local_time: localTime, id } = page.items.at(-1)!;
          page = await listYearsAgo(db, userId, '0403', now, { limit, start: { after: { localTime, id } } });
          assert.equal(page.totalCount, expected.length);
        }
        assert.deepEqual(walked, expected);
      },
    ),
    { numRuns: runs(60) },
  );
});
