import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import { mediaItemCategories, mediaItemStatuses, mediaItemTypes } from '@hearth/contract/vocabulary.ts';
import type { CallOptions, RouteName } from '../client.ts';
import { callAs, toExpectedItem, expectList, toSeenItem, type ModelUser, type Paging } from './expectations.ts';
import { isVisible, listItemsOfYearsAgo, filterItems, countTimeline, type Item } from './library.ts';
import { anyPaging, step } from './steps.ts';

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
  modelUser: ModelUser,
  name: RouteName,
  options: CallOptions,
  paging: Paging,
  items: readonly Item[],
): Promise<void> => {
  const expected = items.map((item) => toExpectedItem(modelUser.library, item));
  await expectList(modelUser, name, options, paging, expected, toSeenItem);
};

const list = step('list', fc.tuple(anyFilter, anyPaging), async (modelUser, [query, paging]) => {
  const isRequested = (item: Item): boolean =>
    (Object.keys(query) as (keyof typeof query)[]).every((key) => item[key] === query[key]?.toUpperCase());
  const expected = filterItems(modelUser.library, (item) => isVisible(item) && isRequested(item));
  await expectItems(modelUser, 'listMediaItems', { query }, paging, expected);
});

const lists = {
  listFavourites: (item: Item) => isVisible(item) && item.isFavourite,
  listHidden: (item: Item) => item.isHidden && !item.isTrashed,
  listTrash: (item: Item) => item.isTrashed,
};
const listFlaggedItems = step(
  'list',
  fc.tuple(fc.constantFrom(...(Object.keys(lists) as (keyof typeof lists)[])), anyPaging),
  async (modelUser, [name, paging]) =>
    expectItems(modelUser, name, {}, paging, filterItems(modelUser.library, lists[name])),
);

const listMonth = step(
  'list month',
  fc.tuple(fc.constantFrom(...months), anyPaging),
  async (modelUser, [month, paging]) => {
    const expected = filterItems(modelUser.library, (item) => isVisible(item) && item.localTime.startsWith(month));
    await expectItems(modelUser, 'listMonthMediaItems', { params: { month } }, paging, expected);
  },
);

const getGrid = step(
  'grid of a section',
  fc.tuple(fc.constantFrom(...months, ...days), fc.constantFrom(1, 3, 50_000)),
  async (modelUser, [section, limit]) => {
    const expected = filterItems(modelUser.library, (item) => isVisible(item) && item.localTime.startsWith(section));
    let query: NonNullable<CallOptions['query']> = { limit };
    for (let from = 0; ; from += limit) {
      const response = (await callAs(modelUser, 'getTimelineGrid', { params: { section }, query }))!;
      const { ids, days, favourites, failed, processing } = response.body;
      const items = expected.slice(from, from + limit);
      const findIndexes = (matches: (item: Item) => boolean) =>
        items.flatMap((item, index) => (matches(item) ? [index] : []));
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
          favourites: findIndexes(({ isFavourite }) => isFavourite),
          failed: findIndexes(({ status }) => status === 'FAILED'),
          processing: findIndexes(({ status }) => status !== 'READY' && status !== 'FAILED'),
          days: items.map(({ localTime }) => localTime.slice(0, 10)),
        },
      );
      const [, next] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
      assert.equal(next !== undefined, from + limit < expected.length);
      if (next === undefined) return;
      query = Object.fromEntries(new URL(next, 'http://host').searchParams);
    }
  },
);

const listYearsAgo = step(
  'list years ago',
  fc.tuple(fc.constantFrom(...monthDates), anyPaging),
  async (modelUser, [monthDate, paging]) => {
    const expected = listItemsOfYearsAgo(modelUser.library, monthDate, new Date().toISOString());
    await expectItems(modelUser, 'listYearsAgo', { params: { monthDate } }, paging, expected);
  },
);

const getTimeline = step('timeline', fc.constantFrom('month' as const, 'day' as const), async (modelUser, by) => {
  const { body } = await modelUser.user.call('getTimeline', { query: { by } });
  assert.deepEqual(body, countTimeline(modelUser.library, by === 'month' ? 7 : 10));
});

/** Width and height of the map's cells in degrees, by zoom level. */
const cellDegrees = { 0: 90, 2: 22.5 } as const;

const getMap = step('map', fc.constantFrom(0 as const, 2 as const), async (modelUser, zoom) => {
  const degrees = cellDegrees[zoom];
  const response = await callAs(modelUser, 'getPlacesMap', { query: { zoom } });
  if (response === undefined) return;
  const toCell = ([latitude, longitude]: readonly [number, number]) => {
    const south = Math.min(90 - degrees, Math.floor((latitude + 90) / degrees) * degrees - 90);
    const west = Math.min(180 - degrees, Math.floor((longitude + 180) / degrees) * degrees - 180);
    return JSON.stringify({ west, south, east: west + degrees, north: south + degrees });
  };
  const placed = filterItems(modelUser.library, (item) => isVisible(item) && item.position !== undefined);
  const cells = Map.groupBy(placed, ({ position }) => toCell(position!));
  assert.equal(response.body.length, cells.size);
  assert.deepEqual(
    response.body.map(({ count }) => count),
    [...cells.values()].map((items) => items.length).toSorted((a, b) => b - a),
  );
  for (const { bounds, count, coverMediaItemId, latitude, longitude } of response.body) {
    const items = cells.get(JSON.stringify(bounds)) ?? [];
    assert.equal(count, items.length);
    assert.ok(items.some(({ id }) => id === coverMediaItemId));
    const mean = (axis: 0 | 1) =>
      items.reduce((sum, { position }) => sum + Math.round(position![axis] * 1e7), 0) / count / 1e7;
    assert.deepEqual([latitude, longitude], [mean(0), mean(1)]);
  }
});

/** Steps that list a user's items, with their weights. */
export const listSteps = [
  { weight: 6, arbitrary: list },
  { weight: 5, arbitrary: listFlaggedItems },
  { weight: 3, arbitrary: listMonth },
  { weight: 2, arbitrary: getGrid },
  { weight: 3, arbitrary: listYearsAgo },
  { weight: 3, arbitrary: getTimeline },
  { weight: 3, arbitrary: getMap },
];
