import { expect, it } from 'vitest';
import { hasAlbumNamed, filterAlbums } from './albumChoices.ts';

const albums = [{ name: 'Sommer in São Paulo' }, { name: 'Lisbon' }, { name: 'Lisbon 2021' }];

it.each([
  { typed: '', found: ['Sommer in São Paulo', 'Lisbon', 'Lisbon 2021'] },
  { typed: 'LISBON', found: ['Lisbon', 'Lisbon 2021'] },
  { typed: ' sao ', found: ['Sommer in São Paulo'] },
  { typed: 'Porto', found: [] },
])('finds $found by “$typed”', ({ typed, found }) => {
  expect(filterAlbums(albums, typed).map(({ name }) => name)).toEqual(found);
});

it('compares whole album names', () => {
  expect(hasAlbumNamed(albums, 'lisbon ')).toBe(true);
  expect(hasAlbumNamed(albums, 'Lis')).toBe(false);
});
