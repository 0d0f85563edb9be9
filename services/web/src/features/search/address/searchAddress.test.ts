import { expect, test } from 'vitest';
import { readSearchAddress } from './searchAddress.ts';

const anna = '0190f7a1-5bd0-7c3e-9d58-3a3e7c6c1a01';
const berlin = '0190f7a1-5bd0-7c3e-9d58-3a3e7c6c1a02';

/** Parses search parameters and omits undefined values. */
const read = (search: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(readSearchAddress(search)).filter(([, value]) => value !== undefined));

test('parses every filter', () => {
  const address = {
    q: 'beach',
    type: 'video',
    category: 'SCREENSHOT',
    favourite: true,
    people: anna,
    places: `${anna},${berlin}`,
    things: anna,
    albums: berlin,
    camera: 'Canon EOS R6',
    from: '2022-04-03',
    to: '2022-04-03',
  };
  expect(read(address)).toEqual(address);
});

test('ignores invalid filters', () => {
  expect(
    read({
      q: 'beach',
      type: 'sound',
      category: 'DEFAULT',
      favourite: 'yes',
      people: `Anna,${berlin}`,
      places: ['x'],
      things: '',
      camera: ' ',
      from: '2022-02-30',
      to: '2022-13-01',
      page: 3,
    }),
  ).toEqual({ q: 'beach', people: berlin });
  expect(read({ from: '2022-04-03', to: '2022-04-02' })).toEqual({ q: '', from: '2022-04-03' });
});

test('keeps a numeric query as text', () => {
  expect(read({ q: 2019, camera: 500 })).toEqual({ q: '2019', camera: '500' });
});
