import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Page } from '../api/client.ts';
import type { ItemChange } from './itemChange.ts';

type ListData = InfiniteData<Page<MediaItem>>;

/** Returns whether the change removes an item from the list with this query key. */
export const leavesList = (
  change: ItemChange | { readonly name: 'removeForGood' },
  [, list, id]: QueryKey,
): boolean => {
  switch (change.name) {
    case 'trash':
      return list !== 'trash';
    case 'restore':
      return list === 'trash';
    case 'removeForGood':
      return true;
    case 'hide':
      return list !== 'hidden' && list !== 'trash';
    case 'unhide':
      return list === 'hidden';
    case 'unfavourite':
      return list === 'favourites';
    case 'removeFromAlbum':
      return list === 'albums' && id === change.albumId;
    case 'removeFromPerson':
      return list === 'person' && id === change.personId;
    case 'favourite':
    case 'addToAlbum':
    case 'returnToPerson':
      return false;
  }
};

/** Returns the pages without these items, or the same object if they contain none of them. */
export const removeItems = (data: ListData, ids: ReadonlySet<string>): ListData => {
  const count = data.pages.reduce((sum, { items }) => sum + items.filter(({ id }) => ids.has(id)).length, 0);
  if (count === 0) return data;
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.filter(({ id }) => !ids.has(id)),
    total: page.total === undefined ? undefined : page.total - count,
  }));
  return { ...data, pages };
};

export const setFavourites = (data: ListData, ids: ReadonlySet<string>, favourite: boolean): ListData => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    items: page.items.map((item) => (ids.has(item.id) ? { ...item, favourite } : item)),
  })),
});

/** Fields of an item that each change sets. */
const flagChanges = {
  favourite: { favourite: true },
  unfavourite: { favourite: false },
  hide: { hidden: true },
  unhide: { hidden: false },
  trash: { deleted: true },
  restore: { deleted: false },
} as const;

/**
 * Applies a change to all cached lists and details before the server has made it. Returns a function that reverts it.
 */
export const changeLists = async (
  client: QueryClient,
  change: ItemChange | { readonly name: 'removeForGood' },
  ids: ReadonlySet<string>,
): Promise<() => void> => {
  const lists = client.getQueriesData({ queryKey: ['mediaItems'] }).filter(([, data]) => isListData(data));
  const keys = new Set(lists.map(([key]) => JSON.stringify(key)));
  // Responses of pending requests would revert the change on the page.
  await client.cancelQueries({ predicate: ({ queryKey }) => keys.has(JSON.stringify(queryKey)) });
  for (const [key, data] of lists) {
    if (!isListData(data)) continue;
    if (leavesList(change, key)) client.setQueryData(key, removeItems(data, ids));
    else if (change.name === 'favourite' || change.name === 'unfavourite')
      client.setQueryData(key, setFavourites(data, ids, change.name === 'favourite'));
  }
  const details = client.getQueriesData<MediaItem>({
    predicate: ({ queryKey: [root, id] }) => root === 'mediaItem' && typeof id === 'string' && ids.has(id),
  });
  for (const [key, item] of details) {
    if (item !== undefined && change.name in flagChanges)
      client.setQueryData(key, { ...item, ...flagChanges[change.name as keyof typeof flagChanges] });
  }
  return () => {
    for (const [key, data] of [...lists, ...details]) client.setQueryData(key, data);
  };
};

function isListData(data: unknown): data is ListData {
  if (typeof data !== 'object' || data === null || !('pages' in data) || !Array.isArray(data.pages)) return false;
  return data.pages.every((page: unknown) => typeof page === 'object' && page !== null && 'items' in page);
}
