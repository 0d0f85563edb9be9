import { expect, it } from 'vitest';
import { listActions } from './listActions.ts';

const some = { count: 2, areAllFavourites: false };
const one = { count: 1, areAllFavourites: false };
const features = {
  favourites: true,
  hidden: true,
  trash: true,
  albums: true,
  explore: true,
  places: true,
  things: true,
  people: true,
  sharing: true,
  jobs: true,
};

it('offers the action that removes items from their list', () => {
  expect(listActions('favourites', some)).toContain('unfavourite');
  expect(listActions('hidden', some)).toContain('unhide');
  expect(listActions('trash', some)).toEqual(['restore', 'removeForGood']);
  expect(listActions('album', some)).toContain('removeFromAlbum');
  expect(listActions('person', some)).toContain('removeFromPerson');
});

it('lets visitors only download', () => {
  expect(listActions('shared', some)).toEqual(['download']);
});

it('offers to unfavourite when all selected items are favourites', () => {
  expect(listActions('library', some)).toContain('favourite');
  expect(listActions('library', { count: 2, areAllFavourites: true })).toContain('unfavourite');
});

it('offers to set the cover and to find similar items for one item only', () => {
  for (const action of ['useAsCover', 'findSimilar'] as const) {
    expect(listActions('album', one)).toContain(action);
    expect(listActions('album', some)).not.toContain(action);
  }
});

it('omits actions of disabled features', () => {
  expect(listActions('library', some, { ...features, albums: false, hidden: false })).toEqual([
    'favourite',
    'download',
    'trash',
  ]);
});
