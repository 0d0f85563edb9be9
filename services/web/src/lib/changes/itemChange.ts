import { call } from '../api/client.ts';
import { retry } from './retry.ts';

/** Reversible change of several media items. */
export type ItemChange =
  | { readonly name: 'favourite' | 'unfavourite' | 'hide' | 'unhide' | 'trash' | 'restore' }
  | { readonly name: 'addToAlbum' | 'removeFromAlbum'; readonly albumId: string; readonly albumName: string }
  | { readonly name: 'removeFromPerson'; readonly personId: string }
  | { readonly name: 'returnToPerson'; readonly personId: string };

/** Changes that a user can make directly; the others only undo one. */
export type OfferedChange = Exclude<ItemChange, { readonly name: 'returnToPerson' }>;

const inverseNames = {
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

export const invertChange = (change: ItemChange): ItemChange =>
  ({ ...change, name: inverseNames[change.name] }) as ItemChange;

/**
 * Sends the change in batches of 1,000 items. After a failure, the batches before it remain applied.
 *
 * @throws ApiError `NOT_FOUND` if one of the items, the album or the person does not exist
 */
export const sendItemChange = async (change: ItemChange, ids: readonly string[]): Promise<void> => {
  for (const mediaItems of splitIntoBatches(ids)) await retry(() => sendBatch(change, [...mediaItems]));
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

const maxIdsPerRequest = 1000;

/** Removes repeated ids and splits the rest into batches, in their order. */
export const splitIntoBatches = (
  ids: readonly string[],
  size: number = maxIdsPerRequest,
): readonly (readonly string[])[] => {
  const distinct = [...new Set(ids)];
  return Array.from({ length: Math.ceil(distinct.length / size) }, (_, part) =>
    distinct.slice(part * size, (part + 1) * size),
  );
};
