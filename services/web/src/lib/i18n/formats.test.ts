import { describe, expect, test } from 'vitest';
import { formatBytes, formatDuration } from './formats.ts';

describe('formats sizes in the largest unit with a value of at least 1', () => {
  test.each([
    [0, 'en', '0 byte'],
    [999, 'en', '999 byte'],
    [1000, 'en', '1 kB'],
    [1_550_000, 'en', '1.6 MB'],
    [4_200_000_000, 'en', '4.2 GB'],
    [4_200_000_000, 'de', '4,2 GB'],
    [123_400_000_000, 'en', '123 GB'],
    [2e15, 'en', '2 PB'],
    [3e18, 'en', '3,000 PB'],
  ])('formats %d bytes in %s as %s', (bytes, language, expected) => {
    expect(formatBytes(bytes, language).replaceAll('\u00a0', ' ')).toBe(expected);
  });
});

test.each([
  [0.4, '0:01'],
  [7.2, '0:07'],
  [59.7, '1:00'],
  [750, '12:30'],
  [3723, '1:02:03'],
])('formats %d seconds as a playing time', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
