// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { readUserStorage, writeUserStorage } from './userStorage.ts';

beforeEach(() => localStorage.clear());

test('does not return values of another user', () => {
  writeUserStorage('a', 'recent', ['beach']);
  expect(readUserStorage('a', 'recent')).toEqual(['beach']);
  expect(readUserStorage('b', 'recent')).toBeUndefined();
});

test('returns undefined for a malformed value', () => {
  localStorage.setItem('hearth-user:a:recent', '{');
  expect(readUserStorage('a', 'recent')).toBeUndefined();
});
