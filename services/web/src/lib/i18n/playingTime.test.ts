import { expect, test } from 'vitest';
import { playingTime } from './playingTime.ts';

test.each([
  [0.4, '0:00'],
  [7.2, '0:07'],
  [59.7, '1:00'],
  [750, '12:30'],
  [3723, '1:02:03'],
])('%d seconds are written as clocks do', (seconds, text) => {
  expect(playingTime(seconds)).toBe(text);
});
