import { expect, test } from 'vitest';
import { readSearchAddress } from './searchAddress.ts';

test('filters that are none are passed over', () => {
  expect(readSearchAddress({ q: 'beach', type: 'sound', favourites: 'yes', year: 20.5, page: 3 })).toEqual({
    q: 'beach',
    type: undefined,
    favourites: undefined,
    year: undefined,
  });
});

test('a year that is searched for stays a text', () => {
  expect(readSearchAddress({ q: 2019, year: 2019 })).toMatchObject({ q: '2019', year: 2019 });
});
