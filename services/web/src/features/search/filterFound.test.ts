import { expect, test } from 'vitest';
import type { GridItem, MediaKind } from '../../media/gridItem.ts';
import { filterFound, isFiltering, type Filters } from './filterFound.ts';

const item = (id: string, kind: MediaKind, day: string, favourite = false): GridItem => ({
  id,
  kind,
  day,
  favourite,
  aspectRatio: 1,
  placeholder: undefined,
  durationSeconds: undefined,
  thumbnailUrl: undefined,
  status: 'READY',
});
const items = [
  item('photo', 'photo', '2019-06-01'),
  item('video', 'video', '2019-07-01', true),
  item('live', 'live', '2020-01-01', true),
];

test.each<[Filters, readonly string[]]>([
  [{}, ['photo', 'video', 'live']],
  [{ type: 'photo' }, ['photo', 'live']],
  [{ type: 'video' }, ['video']],
  [{ favourites: true }, ['video', 'live']],
  [{ year: 2019 }, ['photo', 'video']],
  [{ year: 2019, favourites: true, type: 'photo' }, []],
])('%j leaves %j', (filters, expected) => {
  expect(filterFound(items, filters).map(({ id }) => id)).toEqual(expected);
  expect(isFiltering(filters)).toBe(expected.length < items.length);
});
