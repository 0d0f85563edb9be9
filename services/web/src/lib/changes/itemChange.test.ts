import { expect, it } from 'vitest';
import { reverseOf, type ItemChange } from './itemChange.ts';

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

it.each(changes)('is the reverse of the reverse of $name', (change) => {
  expect(reverseOf(change)).not.toEqual(change);
  expect(reverseOf(reverseOf(change))).toEqual(change);
});
