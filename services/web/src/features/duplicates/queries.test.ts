import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { replaceGroup, duplicatesQuery } from './queries.ts';

const makeGroup = (id: string, change: Partial<DuplicateGroup> = {}): DuplicateGroup => ({
  id,
  mediaItemsCount: 2,
  mediaItems: [],
  reviewed: false,
  trashedCount: 0,
  revision: '1',
  ...change,
});

const makePage = (...items: readonly DuplicateGroup[]) => ({ items, next: undefined, total: undefined });

const openLists = () => {
  const client = new QueryClient();
  const [open, reviewed] = [duplicatesQuery(false).queryKey, duplicatesQuery(true).queryKey];
  client.setQueryData(open, {
    pages: [makePage(makeGroup('a')), makePage(makeGroup('b'))],
    pageParams: [undefined, '/next'],
  });
  client.setQueryData(reviewed, { pages: [makePage(makeGroup('c', { reviewed: true }))], pageParams: [undefined] });
  const list = (key: typeof open) => client.getQueryData(key)?.pages.flatMap(({ items }) => items);
  return { client, open: () => list(open), reviewed: () => list(reviewed) };
};

it('replaces a group in place, and removes a deleted one', () => {
  const { client, open, reviewed } = openLists();
  const updated = makeGroup('b', { mediaItemsCount: 3, trashedCount: 1 });
  replaceGroup(client, 'b', updated);
  expect(open()).toEqual([makeGroup('a'), updated]);
  replaceGroup(client, 'a', undefined);
  expect(open()).toEqual([updated]);
  expect(reviewed()).toEqual([makeGroup('c', { reviewed: true })]);
});

it('removes a group from the list that it no longer belongs to', () => {
  const { client, open, reviewed } = openLists();
  replaceGroup(client, 'a', makeGroup('a', { reviewed: true }));
  replaceGroup(client, 'c', makeGroup('c'));
  expect(open()?.map(({ id }) => id)).toEqual(['b']);
  expect(reviewed()).toEqual([]);
});
