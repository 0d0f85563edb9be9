import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { maxWholeMonthItems } from '@hearth/contract/limits.ts';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { buildMediaItem, buildUser, newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { deleteEmptyCounts, rollUpCounts } from '../../lists/counts.ts';
import { getTimeline, listItemsOfMonth } from './queries.ts';
import { setFlag } from '../media-items/queries.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

const anyTime = fc.constantFrom(
  '2020-02-29T23:59:59.999999',
  '2020-03-01T00:00:00',
  '2020-03-01T12:00:00',
  '2020-03-31T23:59:59.999999',
  '2020-04-01T00:00:00',
  '1957-03-15T08:00:00',
  '9999-12-31T23:59:59',
);

/** Asserts the timeline by month and by day against the visible items. */
const assertTimeline = async (userId: string, shown: readonly { readonly time: string }[]): Promise<void> => {
  for (const [granularity, length] of [
    ['month', 7],
    ['day', 10],
  ] as const) {
    const dates = shown.map(({ time }) => time.slice(0, length)).toSorted((x, y) => y.localeCompare(x));
    const expected = [...new Set(dates)].map((date) => [date, dates.filter((each) => each === date).length]);
    const found = (await getTimeline(db, userId, granularity)).map(({ date, count }) => [date, count]);
    assert.deepEqual(found, expected);
  }
  assert.deepEqual(await getTimeline(db, userId, 'section'), await getTimeline(db, userId, 'month'));
};

test("counts visible items by month and day in any library, and lists a month's items", async () => {
  const items = fc.array(fc.record({ time: anyTime, isHidden: fc.boolean() }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(items, fc.boolean(), async (taken, isRolledUp) => {
      const { id: userId } = await buildUser(db);
      const shown: { readonly id: string; readonly time: string }[] = [];
      for (const { time, isHidden } of taken) {
        const { id } = await buildMediaItem(db, userId, { local_time: time });
        if (isHidden) await setFlag(db, userId, [id], 'hidden', true);
        else shown.push({ id, time });
      }
      if (isRolledUp) while ((await rollUpCounts(db, 100)) > 0);
      await assertTimeline(userId, shown);
      for (const month of ['2020-02', '2020-03', '2020-04', '2021-02', '9999-12']) {
        const { items: listed, totalCount } = await listItemsOfMonth(db, userId, month, {
          limit: 50,
          start: { number: 1 },
        });
        const expected = shown.filter(({ time }) => time.startsWith(month)).map(({ id }) => id);
        assert.deepEqual(new Set(listed.map(({ id }) => id)), new Set(expected));
        assert.deepEqual([listed.length, totalCount], [expected.length, expected.length]);
      }
      await setFlag(
        db,
        userId,
        shown.map(({ id }) => id),
        'hidden',
        true,
      );
      if (isRolledUp) while ((await rollUpCounts(db, 100)) > 0);
      await assertTimeline(userId, []);
      await deleteEmptyCounts(db);
      await setFlag(
        db,
        userId,
        shown.slice(1).map(({ id }) => id),
        'hidden',
        false,
      );
      if (isRolledUp) while ((await rollUpCounts(db, 100)) > 0);
      await assertTimeline(userId, shown.slice(1));
    }),
    { numRuns: runs(40) },
  );
});

test('splits a month with too many items into days', async () => {
  const { id: userId } = await buildUser(db);
  const addItems = (day: string, count: number) =>
    db
      .insertInto('media_items')
      .values(Array.from({ length: count }, () => newMediaItem(userId, { local_time: `${day}T12:00:00` })))
      .execute();
  await addItems('2022-05-03', maxWholeMonthItems);
  await addItems('2022-04-03', maxWholeMonthItems);
  await addItems('2022-04-30', 1);
  await addItems('2022-03-01', 1);
  assert.deepEqual(await getTimeline(db, userId, 'section'), [
    { date: '2022-05', count: maxWholeMonthItems },
    { date: '2022-04-30', count: 1 },
    { date: '2022-04-03', count: maxWholeMonthItems },
    { date: '2022-03', count: 1 },
  ]);
});
