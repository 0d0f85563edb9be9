import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDates, toSpans } from './searchDates.ts';

/** A Wednesday. */
const today = '2026-11-25';

const cases: readonly (readonly [words: string, year?: number, month?: number, day?: number])[] = [
  ['june 2023', 2023, 6],
  ['12 jun 2023', 2023, 6, 12],
  ['juni 2023', 2023, 6],
  ['12 marz 2023', 2023, 3, 12],
  ['dez', undefined, 12],
  ['2023 oktober', 2023, 10],
];

for (const [words, year, month, day] of cases)
  test(`“${words}” is a date`, () => {
    const [found, ...others] = findDates(words.split(' '), today);
    assert.deepEqual([found?.year, found?.month, found?.day, others.length], [year, month, day, 0]);
  });

test('ignores words that only start like a month', () => {
  assert.deepEqual(findDates(['junimond', 'marzipan'], today), []);
});

const named: Readonly<Record<string, string>> = {
  today: '2026-11-25 2026-11-26',
  gestern: '2026-11-24 2026-11-25',
  'last week': '2026-11-16 2026-11-23',
  'diese woche': '2026-11-23 2026-11-30',
  'last month': '2026-10-01 2026-11-01',
  'letztes jahr': '2025-01-01 2026-01-01',
  'this year': '2026-01-01 2027-01-01',
  'last summer': '2026-06-01 2026-09-01',
  'letzten sommer': '2026-06-01 2026-09-01',
  'last autumn': '2025-09-01 2025-12-01',
  'this autumn': '2026-09-01 2026-12-01',
  'this winter': '2025-12-01 2026-03-01',
  'last december': '2025-12-01 2026-01-01',
  'summer 2020': '2020-06-01 2020-09-01',
  '2020 winter': '2020-12-01 2021-03-01',
  'christmas 2022': '2022-12-24 2022-12-27',
  'weihnachten 2022': '2022-12-24 2022-12-27',
  'easter 2024': '2024-03-29 2024-04-02',
  'ostern 1981': '1981-04-17 1981-04-21',
  'ostern 2000': '2000-04-21 2000-04-25',
  'silvester 2021': '2021-12-31 2022-01-02',
  winter: '2026-12-01 2027-03-01, 2025-12-01 2026-03-01, 2024-12-01 2025-03-01',
};

for (const [words, expected] of Object.entries(named))
  test(`“${words}” is ${expected}`, () => {
    const [found, ...others] = findDates(words.split(' '), today);
    const spans = toSpans(found!, [2026, 2025]).map(({ from, until }) => `${from.slice(0, 10)} ${until.slice(0, 10)}`);
    assert.deepEqual([spans.join(', '), others], [expected, []]);
  });

test('goes back into the previous year from January 1', () => {
  const spans = findDates(['yesterday'], '2026-01-01').flatMap((date) => toSpans(date, []));
  assert.deepEqual(spans, [{ from: '2025-12-31T00:00:00', until: '2026-01-01T00:00:00' }]);
});

test('ignores words such as `last` and `this` without a time', () => {
  assert.deepEqual(findDates(['last', 'supper', 'this', 'dog'], today), []);
});
