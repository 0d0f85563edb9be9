import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDates } from './searchDates.ts';

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
    const [found, ...others] = findDates(words.split(' '));
    assert.deepEqual([found?.year, found?.month, found?.day, others.length], [year, month, day, 0]);
  });

test('words that only begin like a month are none', () => {
  assert.deepEqual(findDates(['junimond', 'marzipan']), []);
});
