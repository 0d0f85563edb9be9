import type { Album, AlbumUpdate } from '@hearth/contract/albums.ts';
import { expect, it } from 'vitest';
import { invertUpdate } from './useAlbumChanges.ts';

const album: Album = {
  id: '018f0000-0000-7000-8000-000000000001',
  userId: '018f0000-0000-7000-8000-000000000002',
  name: 'Lisbon',
  shared: true,
  hidden: false,
  mediaItemsCount: 3,
  createdAt: '2022-04-03T12:00:00.000Z',
  updatedAt: '2022-04-03T12:00:00.000Z',
};

const changes: readonly { readonly change: AlbumUpdate; readonly reverse: AlbumUpdate }[] = [
  { change: { name: 'Porto' }, reverse: { name: 'Lisbon' } },
  { change: { description: 'By tram' }, reverse: { description: null } },
  { change: { shared: false }, reverse: { shared: true } },
  { change: { hidden: true, name: 'Porto' }, reverse: { hidden: false, name: 'Lisbon' } },
];

it.each(changes)('undoes $change with $reverse', ({ change, reverse }) => {
  expect(invertUpdate(album, change)).toEqual(reverse);
});
