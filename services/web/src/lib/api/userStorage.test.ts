// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { readUserStorage, writeUserStorage } from './userStorage.ts';

beforeEach(() => localStorage.clear());

test('what is kept of one user is not answered for another', () => {
  writeUserStorage('a', 'recent', ['beach']);
  expect(readUserStorage('a', 'recent')).toEqual(['beach']);
  expect(readUserStorage('b', 'recent')).toBeUndefined();
});

test('a value that cannot be read counts as none', () => {
  localStorage.setItem('hearth-user:a:recent', '{');
  expect(readUserStorage('a', 'recent')).toBeUndefined();
});
