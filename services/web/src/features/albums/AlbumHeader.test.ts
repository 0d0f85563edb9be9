import { expect, it } from 'vitest';
import { formatPeriod } from './AlbumHeader.tsx';

it.each([
  { first: '2022-04-03T08:00:00', last: '2022-04-03T23:59:59', words: 'April 3, 2022' },
  { first: '2022-04-03T08:00:00', last: '2022-04-09T10:00:00', words: 'April 3 – 9, 2022' },
  { first: '2021-12-30T08:00:00', last: '2022-01-02T10:00:00', words: 'December 30, 2021 – January 2, 2022' },
  { first: '2012-04-03T08:00:00', last: '2022-04-09T10:00:00', words: 'April 2012 – April 2022' },
])('formats a period as $words', ({ first, last, words }) => {
  // ICU puts thin spaces around the dash.
  expect(formatPeriod(first, last, 'en').replaceAll(/\s/gu, ' ')).toBe(words);
});
