import { call } from '../api/client.ts';
import { retried } from './retried.ts';

/** A change of several media items that another change of the same items takes back. */
export type ItemChange =
  | { readonly name: 'favourite' | 'unfavourite' | 'hide' | 'unhide' | 'trash' | 'restore' }
  | { readonly name: 'addToAlbum' | 'removeFromAlbum'; readonly albumId: string; readonly albumName: string }
  | { readonly name: 'removeFromPerson'; readonly personId: string }
  | { readonly name: 'returnToPerson'; readonly personId: string };

/** A change that somebody makes; the others only take one back. */
export type OfferedChange = Exclude<ItemChange, { readonly name: 'returnToPerson' }>;

const reverses = {
  favourite: 'unfavourite',
  unfavourite: 'favourite',
  hide: 'unhide',
  unhide: 'hide',
  trash: 'restore',
  restore: 'trash',
  addToAlbum: 'removeFromAlbum',
  removeFromAlbum: 'addToAlbum',
  removeFromPerson: 'returnToPerson',
  returnToPerson: 'removeFromPerson',
} as const;

/** The change that takes this one back. */
export const reverseOf = (change: ItemChange): ItemChange => ({ ...change, name: reverses[change.name] }) as ItemChange;

/**
 * Makes the change at the server, 1,000 items at a time: what fails leaves the batches before it done.
 *
 * @throws ApiError `NOT_FOUND` when one of the items, the album or the person is gone.
 */
export const sendItemChange = async (change: ItemChange, ids: readonly string[]): Promise<void> => {
  for (const mediaItems of inBatches(ids)) await retried(() => sendBatch(change, [...mediaItems]));
};

function sendBatch(change: ItemChange, mediaItems: string[]): Promise<undefined> {
  const body = { mediaItems };
  switch (change.name) {
    case 'favourite':
      return call('POST /v1/favourites', { body });
    case 'unfavourite':
      return call('DELETE /v1/favourites', { body });
    case 'hide':
      return call('POST /v1/hidden', { body });
    case 'unhide':
      return call('DELETE /v1/hidden', { body });
    case 'trash':
      return call('POST /v1/trash', { body });
    case 'restore':
      return call('DELETE /v1/trash', { body });
    case 'addToAlbum':
      return call('POST /v1/albums/{id}/mediaItems', { params: { id: change.albumId }, body });
    case 'removeFromAlbum':
      return call('DELETE /v1/albums/{id}/mediaItems', { params: { id: change.albumId }, body });
    case 'removeFromPerson':
      return call('DELETE /v1/explore/people/{id}/mediaItems', { params: { id: change.personId }, body });
    case 'returnToPerson':
      return call('POST /v1/explore/people/{id}/mediaItems', { params: { id: change.personId }, body });
  }
}

/** How many ids one request of the API may name. */
const maxIdsPerRequest = 1000;

/** The ids, each once and in their order, in as many parts as the API needs. */
export const inBatches = (ids: readonly string[], size: number = maxIdsPerRequest): readonly (readonly string[])[] => {
  const distinct = [...new Set(ids)];
  return Array.from({ length: Math.ceil(distinct.length / size) }, (_, part) =>
    distinct.slice(part * size, (part + 1) * size),
  );
};
