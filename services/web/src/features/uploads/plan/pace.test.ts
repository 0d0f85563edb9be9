import { expect, test } from 'vitest';
import {
  afterFailure,
  afterRate,
  getMaxConcurrent,
  startConcurrency,
  nextSpeed,
  secondsLeft,
  startSpeed,
  getWork,
  retryDelayMs,
} from './pace.ts';

test('adds parallel uploads while that increases the throughput', () => {
  let state = startConcurrency(6);
  for (const rate of [100, 150, 200, 201]) state = afterRate(state, rate, true);
  expect(state.limit).toBe(6);
  expect(afterRate(startConcurrency(6), 100, false).limit).toBe(3);
  expect(afterRate({ limit: 4, max: 6, lastRate: 100 }, 101, true).limit).toBe(4);
});

test('halves the number of parallel uploads after an error, down to one', () => {
  expect([6, 3, 1].map((limit) => afterFailure({ limit, max: 6, lastRate: 9 }).limit)).toEqual([3, 1, 1]);
});

test.each([
  ['http/1.1', 3],
  ['', 3],
  [undefined, 3],
  ['h2', 6],
  ['h3', 6],
])('limits parallel uploads over %s to %i', (protocol, max) => {
  expect(getMaxConcurrent(protocol)).toBe(max);
});

test.each([
  ['doubles', 2, undefined, 1, 4000],
  ['varies by half', 2, undefined, 0, 2000],
  ['is at most a minute', 20, undefined, 1, 60_000],
  ['is at least the Retry-After of the server', 0, 90, 0, 90_000],
])('the retry delay %s', (_, attempts, retryAfter, random, expected) => {
  expect(retryDelayMs(attempts, retryAfter, random)).toBe(expected);
});

test('estimates the time left from the speed, once enough samples exist', () => {
  let speed = startSpeed(0, 0);
  expect(secondsLeft(speed, 1000)).toBeUndefined();
  for (let second = 1; second <= 10; second += 1) speed = nextSpeed(speed, second * 1000, second * 100);
  expect(secondsLeft(speed, 3000)).toBe(30);
  const steady = nextSpeed(speed, 11_000, 1000);
  expect(steady.bytesPerSecond).toBeGreaterThan(90);
});

test('does not overestimate the time left when small files come first', () => {
  let speed = startSpeed(0, 0);
  for (let second = 1; second <= 10; second += 1)
    speed = nextSpeed(speed, second * 1000, getWork(second * 11, second * 70_000));
  const left = secondsLeft(speed, getWork(488, 99_200_000) - getWork(110, 700_000));
  expect(left).toBeGreaterThan(20);
  expect(left).toBeLessThan(90);
});

test('treats negative progress as zero speed', () => {
  const speed = nextSpeed(nextSpeed(startSpeed(0, 0), 1000, 500), 2000, 100);
  expect(speed.bytesPerSecond).toBeGreaterThan(0);
  expect(speed.bytes).toBe(100);
});
