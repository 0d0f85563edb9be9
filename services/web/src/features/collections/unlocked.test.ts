// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signIn } from '../../lib/api/session.ts';
import { isUnlocked, lock, unlock, unlockedMs } from './unlocked.ts';

const userId = '018f0000-0000-7000-8000-000000000002';
const accessToken = ['', btoa(JSON.stringify({ sub: userId, exp: 4_000_000_000 })), ''].join('.');

beforeEach(async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ accessToken })));
  await signIn('family', 'correct horse battery');
  vi.useFakeTimers();
});

afterEach(() => {
  lock();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('is locked until the password was entered', () => {
  expect(isUnlocked()).toBe(false);
  unlock(userId);
  expect(isUnlocked()).toBe(true);
});

it('locks after five minutes', () => {
  unlock(userId);
  vi.advanceTimersByTime(unlockedMs - 1);
  expect(isUnlocked()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(isUnlocked()).toBe(false);
});

it('is locked for another user', () => {
  unlock('018f0000-0000-7000-8000-000000000003');
  expect(isUnlocked()).toBe(false);
});

it('locks when the page is no longer visible', () => {
  unlock(userId);
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  visibility.mockRestore();
  expect(isUnlocked()).toBe(false);
});
