import { expect, it } from 'vitest';
import { invertChange, type ItemChange, splitIntoBatches } from './itemChange.ts';

const album = { albumId: 'album', albumName: 'Lisbon' };
const changes: readonly ItemChange[] = [
  { name: 'favourite' },
  { name: 'unfavourite' },
  { name: 'hide' },
  { name: 'unhide' },
  { name: 'trash' },
  { name: 'restore' },
  { name: 'addToAlbum', ...album },
  { name: 'removeFromAlbum', ...album },
  { name: 'removeFromPerson', personId: 'ada' },
  { name: 'returnToPerson', personId: 'ada' },
];

it.each(changes)('inverts $name, and inverts the result back to it', (change) => {
  expect(invertChange(change)).not.toEqual(change);
  expect(invertChange(invertChange(change))).toEqual(change);
});

it.each([
  { count: 0, batches: [] },
  { count: 1, batches: [1] },
  { count: 1000, batches: [1000] },
  { count: 2001, batches: [1000, 1000, 1] },
])('sends $count ids in batches of $batches', ({ count, batches }) => {
  const ids = Array.from({ length: count }, (_, index) => `id-${index}`);
  expect(splitIntoBatches(ids).map(({ length }) => length)).toEqual(batches);
  expect(splitIntoBatches(ids).flat()).toEqual(ids);
});

it('omits repeated ids', () => {
  expect(splitIntoBatches(['a', 'b', 'a'], 2)).toEqual([['a', 'b']]);
});
