import { expect, test } from 'vitest';
import { formatSpan, toSpan } from './dateSpans.ts';

test.each([
  ['2022', '2022-01-01', '2022-12-31'],
  ['2022-04', '2022-04-01', '2022-04-30'],
  ['2024-02', '2024-02-01', '2024-02-29'],
  ['2023-12', '2023-12-01', '2023-12-31'],
])('converts %s to %s – %s', (date, from, to) => {
  expect(toSpan(date)).toEqual({ from, to });
});

test.each([
  ['2022-01-01', '2022-12-31', 'en', '2022'],
  ['2022-04-01', '2022-04-30', 'en', 'April 2022'],
  ['2022-04-01', '2022-04-30', 'de', 'April 2022'],
  ['2022-04-03', '2022-04-03', 'en', 'April 3, 2022'],
  ['2022-04-03', '2022-04-09', 'de', '3.–9. April 2022'],
  ['2021-12-01', '2022-02-28', 'en', 'December 1, 2021 – February 28, 2022'],
])('names %s – %s in %s: %s', (from, to, language, name) => {
  // Some ICU versions put thin spaces around the dash.
  expect(formatSpan(from, to, language).replaceAll(/\s/gu, ' ')).toBe(name);
});
