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

it('offers the reverse of what made an item part of a list', () => {
  expect(actionsOf('favourites', some)).toContain('unfavourite');
  expect(actionsOf('hidden', some)).toContain('unhide');
  expect(actionsOf('trash', some)).toEqual(['restore', 'removeForGood']);
  expect(actionsOf('album', some)).toContain('removeFromAlbum');
  expect(actionsOf('person', some)).toContain('removeFromPerson');
});

it('lets visitors save files and change nothing', () => {
  expect(actionsOf('shared', some)).toEqual(['download']);
});

it('takes the heart away when all selected items are favourites', () => {
  expect(actionsOf('library', some)).toContain('favourite');
  expect(actionsOf('library', { count: 2, areAllFavourites: true })).toContain('unfavourite');
});

it('makes one item the cover of its album, and finds what is like it, not several', () => {
  for (const action of ['useAsCover', 'findSimilar'] as const) {
    expect(actionsOf('album', one)).toContain(action);
    expect(actionsOf('album', some)).not.toContain(action);
  }
});

it('leaves out what is switched off', () => {
  expect(actionsOf('library', some, { ...features, albums: false, hidden: false })).toEqual([
    'favourite',
    'download',
    'trash',
  ]);
});
