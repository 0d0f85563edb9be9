import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import { mediaItemCategories, mediaItemStatuses, mediaItemTypes } from '@hearth/contract/vocabulary.ts';
import type { CallOptions, RouteName } from '../client.ts';
import { callAs, expectedItem, expectList, seenItem, type Actor, type Walk } from './expectations.ts';
import { isVisible, itemsOfYearsAgo, itemsWhere, timeline, type Item } from './library.ts';
import { anyWalk, step } from './steps.ts';

const months = ['2022-04', '2022-05', '2020-02', '1926-02', '2000-01'];
const days = ['2022-04-03', '2020-02-29', '2022-05-01'];
const monthDates = ['0403', '0229', '0228', '1231', '0101', '0706'];
const anyFilter = fc.record(
  {
    type: fc.constantFrom(...mediaItemTypes, 'photo'),
    category: fc.constantFrom(...mediaItemCategories, 'live'),
    status: fc.constantFrom(...mediaItemStatuses),
  },
  { requiredKeys: [] },
);

/** Asserts that a list returns these items. */
const expectItems = async (
  actor: Actor,
  name: RouteName,
  options: CallOptions,
  walk: Walk,
  items: readonly Item[],
): Promise<void> => {
  const expected = items.map((item) => expectedItem(actor.library, item));
  await expectList(actor, name, options, walk, expected, seenItem);
};

const list = step('list', fc.tuple(anyFilter, anyWalk), async (actor, [query, walk]) => {
  const isAsked = (item: Item): boolean =>
    (Object.keys(query) as (keyof typeof query)[]).every((key) => item[key] === query[key]?.toUpperCase());
  const expected = itemsWhere(actor.library, (item) => isVisible(item) && isAsked(item));
  await expectItems(actor, 'listMediaItems', { query }, walk, expected);
});

const lists = {
  listFavourites: (item: Item) => isVisible(item) && item.isFavourite,
  listHidden: (item: Item) => item.isHidden && !item.isTrashed,
  listTrash: (item: Item) => item.isTrashed,
};
const listMarked = step(
  'list',
  fc.tuple(fc.constantFrom(...(Object.keys(lists) as (keyof typeof lists)[])), anyWalk),
  async (actor, [name, walk]) => expectItems(actor, name, {}, walk, itemsWhere(actor.library, lists[name])),
);

const listMonth = step('list month', fc.tuple(fc.constantFrom(...months), anyWalk), async (actor, [month, walk]) => {
  const expected = itemsWhere(actor.library, (item) => isVisible(item) && item.localTime.startsWith(month));
  await expectItems(actor, 'listMonthMediaItems', { params: { month } }, walk, expected);
});

const getGrid = step(
  'grid of a section',
  fc.tuple(fc.constantFrom(...months, ...days), fc.constantFrom(1, 3, 50_000)),
  async (actor, [section, limit]) => {
    const expected = itemsWhere(actor.library, (item) => isVisible(item) && item.localTime.startsWith(section));
    let query: NonNullable<CallOptions['query']> = { limit };
    for (let from = 0; ; from += limit) {
      const answer = (await callAs(actor, 'getTimelineGrid', { params: { section }, query }))!;
      const { ids, days, favourites, failed, processing } = answer.body;
      const items = expected.slice(from, from + limit);
      const where = (is: (item: Item) => boolean) => items.flatMap((item, nth) => (is(item) ? [nth] : []));
      assert.deepEqual(
        {
          ids,
          favourites,
          failed,
          processing,
          days: days.flatMap(({ date, count }) => Array<string>(count).fill(date)),
        },
        {
          ids: items.map(({ id }) => id),
          favourites: where(({ isFavourite }) => isFavourite),
          failed: where(({ status }) => status === 'FAILED'),
          processing: where(({ status }) => status !== 'READY' && status !== 'FAILED'),
          days: items.map(({ localTime }) => localTime.slice(0, 10)),
        },
      );
      const [, next] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];
      assert.equal(next !== undefined, from + limit < expected.length);
      if (next === undefined) return;
      query = Object.fromEntries(new URL(next, 'http://host').searchParams);
    }
  },
);

const listYearsAgo = step(
  'list years ago',
  fc.tuple(fc.constantFrom(...monthDates), anyWalk),
  async (actor, [monthDate, walk]) => {
    const expected = itemsOfYearsAgo(actor.library, monthDate, new Date().toISOString());
    await expectItems(actor, 'listYearsAgo', { params: { monthDate } }, walk, expected);
  },
);

const getTimeline = step('timeline', fc.constantFrom('month' as const, 'day' as const), async (actor, by) => {
  const { body } = await actor.user.call('getTimeline', { query: { by } });
  assert.deepEqual(body, timeline(actor.library, by === 'month' ? 7 : 10));
});

/** Width and height of the cells of the map, by zoom level. */
const cellDegrees = { 0: 90, 2: 22.5 } as const;

const getMap = step('map', fc.constantFrom(0 as const, 2 as const), async (actor, zoom) => {
  const degrees = cellDegrees[zoom];
  const answer = await callAs(actor, 'getPlacesMap', { query: { zoom } });
  if (answer === undefined) return;
  const cellOf = ([latitude, longitude]: readonly [number, number]) => {
    const south = Math.min(90 - degrees, Math.floor((latitude + 90) / degrees) * degrees - 90);
    const west = Math.min(180 - degrees, Math.floor((longitude + 180) / degrees) * degrees - 180);
    return JSON.stringify({ west, south, east: west + degrees, north: south + degrees });
  };
  const placed = itemsWhere(actor.library, (item) => isVisible(item) && item.position !== undefined);
  const cells = Map.groupBy(placed, ({ position }) => cellOf(position!));
  assert.equal(answer.body.length, cells.size);
  assert.deepEqual(
    answer.body.map(({ count }) => count),
    [...cells.values()].map((items) => items.length).toSorted((a, b) => b - a),
  );
  for (const { bounds, count, coverMediaItemId, latitude, longitude } of answer.body) {
    const items = cells.get(JSON.stringify(bounds)) ?? [];
    assert.equal(count, items.length);
    assert.ok(items.some(({ id }) => id === coverMediaItemId));
    const mean = (axis: 0 | 1) =>
      items.reduce((sum, { position }) => sum + Math.round(position![axis] * 1e7), 0) / count / 1e7;
    assert.deepEqual([latitude, longitude], [mean(0), mean(1)]);
  }
});

/** All lists of a user's items, with their weights. */
export const listSteps = [
  { weight: 6, arbitrary: list },
  { weight: 5, arbitrary: listMarked },
  { weight: 3, arbitrary: listMonth },
  { weight: 2, arbitrary: getGrid },
  { weight: 3, arbitrary: listYearsAgo },
  { weight: 3, arbitrary: getTimeline },
  { weight: 3, arbitrary: getMap },
];
