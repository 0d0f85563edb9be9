import { expect, test } from 'vitest';
import { matchDates } from './matchDates.ts';

const months = ['2021-02', '2021-01', '2020-12', '2020-08', '2020-06', '2019-07', '2019-06', '2018-03'].map((date) => ({
  date,
}));
const english = (typed: string) =>
  matchDates(typed, months, 'en', (season, year) => `${season} ${year}`).map(({ name, id }) => `${name} → ${id}`);
const german = (typed: string) =>
  matchDates(typed, months, 'de', (season, year) => `${season} ${year}`).map(({ name }) => name);

test.each([
  ['june 2019', ['June 2019 → 2019-06']],
  ['2019 June', ['June 2019 → 2019-06']],
  ['June', ['June 2020 → 2020-06', 'June 2019 → 2019-06']],
  ['ju', ['June 2020 → 2020-06', 'July 2019 → 2019-07', 'June 2019 → 2019-06']],
  ['06.2019', ['June 2019 → 2019-06']],
  ['2019-7', ['July 2019 → 2019-07']],
  ['2019', ['2019 → 2019-07', 'July 2019 → 2019-07', 'June 2019 → 2019-06']],
  ['summer 2020', ['summer 2020 → 2020-08']],
  ['winter', ['winter 2020/21 → 2021-02']],
  ['winter 2020', ['winter 2020/21 → 2021-02']],
])('%s means times in which something was taken', (typed, expected) => {
  expect(english(typed)).toEqual(expected);
});

test('months and seasons are known by their German names, accents or not, and by the English ones', () => {
  expect(german('Juni 2019')).toEqual(['Juni 2019']);
  expect(german('märz')).toEqual(['März 2018']);
  expect(german('marz')).toEqual(['März 2018']);
  expect(german('march')).toEqual(['März 2018']);
  expect(german('Sommer 2020')).toEqual(['summer 2020']);
});

test.each([[''], ['j'], ['7'], ['june beach'], ['june july'], ['summer june'], ['2019 2020'], ['may'], ['1999']])(
  '%j suggests no time',
  (typed) => expect(english(typed)).toEqual([]),
);
