import { expect, test } from 'vitest';
import { hasFilters, listIds, addMatch, removeId } from './filters.ts';
import type { Match } from '../suggestions/matches.ts';

const match = (kind: Match['kind'], id: string | undefined, value = 'x'): Match => ({
  kind,
  id,
  value,
  name: value,
  count: 1,
});

test('converts suggestions to filters without duplicates', () => {
  const filters = [match('person', 'a'), match('person', 'b'), match('person', 'a'), match('place', 'c')].reduce(
    addMatch,
    {},
  );
  expect(filters).toEqual({ people: 'a,b', places: 'c' });
  expect(listIds(filters, 'people')).toEqual(['a', 'b']);
  expect(listIds(filters, 'albums')).toEqual([]);
});

test('replaces camera and dates', () => {
  const first = addMatch(addMatch({}, match('camera', undefined, 'Canon')), match('date', undefined, '2022'));
  expect(first).toEqual({ camera: 'Canon', from: '2022-01-01', to: '2022-12-31' });
  expect(addMatch(addMatch(first, match('camera', undefined, 'Sony')), match('date', undefined, '2024-02'))).toEqual({
    camera: 'Sony',
    from: '2024-02-01',
    to: '2024-02-29',
  });
});

test('removes a filter with its last id', () => {
  const filters = removeId(removeId({ people: 'a,b' }, 'people', 'a'), 'people', 'b');
  expect(hasFilters({ people: 'a' })).toBe(true);
  expect(hasFilters(filters)).toBe(false);
});
