// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchExpiredLinks } from './expiredLinks.ts';

const renew = vi.fn();
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-27T12:00:00Z') });
  stop = watchExpiredLinks(renew);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  renew.mockReset();
  document.body.replaceChildren();
});

const fail = (src: string): void => {
  const image = document.body.appendChild(document.createElement('img'));
  image.src = src;
  image.dispatchEvent(new Event('error'));
};

const seconds = (time: string): number => Date.parse(`2026-11-27T${time}Z`) / 1_000;

it.each([
  ['S3 link', 'https://s3.example.org/b/u/m/preview?X-Amz-Date=20261127T110000Z&X-Amz-Expires=3600'],
  ['API link', `/v1/files/u/m/preview?expires=${seconds('11:59:59')}`],
])('renews links when an expired %s fails to load', (_, link) => {
  fail(link);
  expect(renew).toHaveBeenCalledOnce();
});

it.each([
  ['is a valid S3 link', 'https://s3.example.org/b/u/m/preview?X-Amz-Date=20261127T110001Z&X-Amz-Expires=3600'],
  ['is a valid API link', `/v1/files/u/m/preview?expires=${seconds('12:00:01')}`],
  ['has no expiry', '/logo.svg'],
])('does not renew when the failed link %s', (_, link) => {
  fail(link);
  expect(renew).not.toHaveBeenCalled();
});

it('renews once for all pictures of a page, and again after a minute', () => {
  const link = `/v1/files/u/m/preview?expires=${seconds('11:00:00')}`;
  for (let i = 0; i < 10; i++) fail(link);
  expect(renew).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(60_000);
  fail(link);
  expect(renew).toHaveBeenCalledTimes(2);
});
