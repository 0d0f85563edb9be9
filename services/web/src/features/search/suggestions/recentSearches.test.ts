// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { listRecentSearches, rememberSearch } from './recentSearches.ts';

beforeEach(() => localStorage.clear());

test('lists the latest search first, without duplicates', () => {
  for (const text of ['beach', 'snow', 'Beach']) rememberSearch('a', text);
  expect(listRecentSearches('a')).toEqual(['Beach', 'snow']);
});

test('discards the oldest searches', () => {
  for (let index = 0; index < 20; index += 1) rememberSearch('a', `search ${index}`);
  expect(listRecentSearches('a')).toHaveLength(8);
  expect(listRecentSearches('a')[0]).toBe('search 19');
});

test('returns an empty list for a malformed value', () => {
  localStorage.setItem('hearth-user:a:recent-searches', '{"a":1}');
  expect(listRecentSearches('a')).toEqual([]);
});
