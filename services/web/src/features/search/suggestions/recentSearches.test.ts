// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { listRecentSearches, rememberSearch } from './recentSearches.ts';

beforeEach(() => localStorage.clear());

test('the latest search comes first, and none twice', () => {
  for (const text of ['beach', 'snow', 'Beach']) rememberSearch('a', text);
  expect(listRecentSearches('a')).toEqual(['Beach', 'snow']);
});

test('the oldest searches are forgotten', () => {
  for (let index = 0; index < 20; index += 1) rememberSearch('a', `search ${index}`);
  expect(listRecentSearches('a')).toHaveLength(8);
  expect(listRecentSearches('a')[0]).toBe('search 19');
});

test('what is no list of texts counts as none', () => {
  localStorage.setItem('hearth-user:a:recent-searches', '{"a":1}');
  expect(listRecentSearches('a')).toEqual([]);
});
