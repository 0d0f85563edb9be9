import { expect, it } from 'vitest';
import { actionsOf } from './actionsOf.ts';

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

it('offers to remove items from the list they are in', () => {
  expect(actionsOf('favourites', some)).toContain('unfavourite');
  expect(actionsOf('hidden', some)).toContain('unhide');
  expect(actionsOf('trash', some)).toEqual(['restore', 'removeForGood']);
  expect(actionsOf('album', some)).toContain('removeFromAlbum');
  expect(actionsOf('person', some)).toContain('removeFromPerson');
});

it('lets visitors only download', () => {
  expect(actionsOf('shared', some)).toEqual(['download']);
});

it('offers to unfavourite when all selected items are favourites', () => {
  expect(actionsOf('library', some)).toContain('favourite');
  expect(actionsOf('library', { count: 2, areAllFavourites: true })).toContain('unfavourite');
});

it('offers to set the cover and to find similar items for one item only', () => {
  for (const action of ['useAsCover', 'findSimilar'] as const) {
    expect(actionsOf('album', one)).toContain(action);
    expect(actionsOf('album', some)).not.toContain(action);
  }
});

it('omits actions of disabled features', () => {
  expect(actionsOf('library', some, { ...features, albums: false, hidden: false })).toEqual([
    'favourite',
    'download',
    'trash',
  ]);
});
