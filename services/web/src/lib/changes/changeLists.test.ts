import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { changeLists, leavesList } from './changeLists.ts';
import type { ItemChange } from './itemChange.ts';
import { listKeys } from './listKeys.ts';

const library = ['mediaItems', 'library'];
const lists = {
  library,
  favourites: listKeys.favourites,
  hidden: listKeys.hidden,
  trash: listKeys.trash,
  lisbon: listKeys.album('lisbon'),
  porto: listKeys.album('porto'),
  ada: listKeys.person('ada'),
  bea: listKeys.person('bea'),
} as const;

const leavingChanges: readonly { readonly change: ItemChange; readonly left: readonly (keyof typeof lists)[] }[] = [
  { change: { name: 'favourite' }, left: [] },
  { change: { name: 'unfavourite' }, left: ['favourites'] },
  { change: { name: 'hide' }, left: ['library', 'favourites', 'lisbon', 'porto', 'ada', 'bea'] },
  { change: { name: 'unhide' }, left: ['hidden'] },
  { change: { name: 'trash' }, left: ['library', 'favourites', 'hidden', 'lisbon', 'porto', 'ada', 'bea'] },
  { change: { name: 'restore' }, left: ['trash'] },
  { change: { name: 'addToAlbum', albumId: 'lisbon', albumName: '' }, left: [] },
  { change: { name: 'removeFromAlbum', albumId: 'lisbon', albumName: '' }, left: ['lisbon'] },
  { change: { name: 'removeFromPerson', personId: 'ada' }, left: ['ada'] },
  { change: { name: 'returnToPerson', personId: 'ada' }, left: [] },
];

it.each(leavingChanges)('removes items from $left by $change.name', ({ change, left }) => {
  const names = Object.keys(lists) as (keyof typeof lists)[];
  expect(names.filter((name) => leavesList(change, lists[name]))).toEqual(left);
});

const makeList = (...ids: string[]) => ({
  pages: [
    { items: ids.slice(0, 2).map((id) => ({ id, favourite: false })), next: '/next', total: ids.length },
    { items: ids.slice(2).map((id) => ({ id, favourite: false })), next: undefined, total: ids.length },
  ],
  pageParams: [undefined, '/next'],
});

describe('cached lists', () => {
  type List = ReturnType<typeof makeList>;
  const itemsIn = (client: QueryClient, key: readonly unknown[]) =>
    client.getQueryData<List>(key)?.pages.flatMap(({ items }) => items);

  it('lose removed items, update their totals, and restore both on undo', async () => {
    const client = new QueryClient();
    client.setQueryData(library, makeList('a', 'b', 'c'));
    const revert = await changeLists(client, { name: 'trash' }, new Set(['a', 'c']));
    expect(itemsIn(client, library)?.map(({ id }) => id)).toEqual(['b']);
    expect(client.getQueryData<List>(library)?.pages[0]?.total).toBe(1);
    revert();
    expect(itemsIn(client, library)?.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('mark new favourites at once', async () => {
    const client = new QueryClient();
    client.setQueryData(library, makeList('a', 'b', 'c'));
    await changeLists(client, { name: 'favourite' }, new Set(['c']));
    expect(itemsIn(client, library)?.filter(({ favourite }) => favourite)).toEqual([{ id: 'c', favourite: true }]);
  });

  it('update the details of changed items only', async () => {
    const client = new QueryClient();
    client.setQueryData(['mediaItem', 'a'], { id: 'a', hidden: false });
    client.setQueryData(['mediaItem', 'b'], { id: 'b', hidden: false });
    await changeLists(client, { name: 'hide' }, new Set(['a']));
    expect(client.getQueryData(['mediaItem', 'a'])).toEqual({ id: 'a', hidden: true });
    expect(client.getQueryData(['mediaItem', 'b'])).toEqual({ id: 'b', hidden: false });
  });

  it('ignore data of another shape', async () => {
    const client = new QueryClient();
    const months = [{ date: '2022-04', count: 3 }];
    client.setQueryData(['mediaItems', 'timeline'], months);
    await changeLists(client, { name: 'trash' }, new Set(['a']));
    expect(client.getQueryData(['mediaItems', 'timeline'])).toBe(months);
  });
});
