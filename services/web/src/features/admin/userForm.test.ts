import type { User } from '@hearth/contract/users.ts';
import { describe, expect, test } from 'vitest';
import { allFeatures, changesOf, creationOf, formOf, parseQuota } from './userForm.ts';

const user: User = {
  id: '8f14e45f-ceea-467f-a9b5-3c1e2b7d9a10',
  name: 'Robin',
  username: 'robin',
  features: { ...allFeatures, sharing: false },
  usedBytes: 1,
  quotaBytes: 2_500_000_000,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};

describe('parses a quota in gigabytes', () => {
  test.each([
    ['', null],
    [' ', null],
    ['0', 0],
    ['2.5', 2_500_000_000],
    ['2,5', 2_500_000_000],
    ['-1', undefined],
    ['a lot', undefined],
  ])('%j as %s', (text, expected) => expect(parseQuota(text)).toBe(expected));
});

test('sends only disabled features of a new account', () => {
  const form = { ...formOf(undefined), name: 'Kim', username: 'kim', password: 'four plain words' };
  expect(creationOf(form)).toEqual({ name: 'Kim', username: 'kim', password: 'four plain words' });
  expect(creationOf({ ...form, quota: '1', features: { ...allFeatures, jobs: false } })).toEqual({
    name: 'Kim',
    username: 'kim',
    password: 'four plain words',
    quotaBytes: 1_000_000_000,
    features: { jobs: false },
  });
});

describe('sends only changes', () => {
  test('nothing for an unchanged form', () => expect(changesOf(user, formOf(user))).toBeUndefined());
  test('a new name', () => expect(changesOf(user, { ...formOf(user), name: 'Kim' })).toEqual({ name: 'Kim' }));
  test('a removed quota', () => expect(changesOf(user, { ...formOf(user), quota: '' })).toEqual({ quotaBytes: null }));
  test('a feature', () =>
    expect(changesOf(user, { ...formOf(user), features: allFeatures })).toEqual({ features: { sharing: true } }));
  test('a new password', () =>
    expect(changesOf(user, { ...formOf(user), password: 'new one' })).toEqual({ password: 'new one' }));
});
