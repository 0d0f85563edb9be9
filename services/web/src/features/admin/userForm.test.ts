import type { User } from '@hearth/contract/users.ts';
import { describe, expect, test } from 'vitest';
import { allFeatures, toUserUpdate, toUserCreate, toUserForm, parseQuota } from './userForm.ts';

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
  const form = { ...toUserForm(undefined), name: 'Kim', username: 'kim', password: 'four plain words' };
  expect(toUserCreate(form)).toEqual({ name: 'Kim', username: 'kim', password: 'four plain words' });
  expect(toUserCreate({ ...form, quota: '1', features: { ...allFeatures, jobs: false } })).toEqual({
    name: 'Kim',
    username: 'kim',
    password: 'four plain words',
    quotaBytes: 1_000_000_000,
    features: { jobs: false },
  });
});

describe('sends only changes', () => {
  test('nothing for an unchanged form', () => expect(toUserUpdate(user, toUserForm(user))).toBeUndefined());
  test('a new name', () => expect(toUserUpdate(user, { ...toUserForm(user), name: 'Kim' })).toEqual({ name: 'Kim' }));
  test('a removed quota', () =>
    expect(toUserUpdate(user, { ...toUserForm(user), quota: '' })).toEqual({ quotaBytes: null }));
  test('a feature', () =>
    expect(toUserUpdate(user, { ...toUserForm(user), features: allFeatures })).toEqual({
      features: { sharing: true },
    }));
  test('a new password', () =>
    expect(toUserUpdate(user, { ...toUserForm(user), password: 'new one' })).toEqual({ password: 'new one' }));
});
