import { call } from '../../api/client.ts';
import { inBatches } from './batches.ts';
import { retried } from './retried.ts';

/** A change of several media items that another change of the same items takes back. */
export type ItemChange =
  | { readonly name: 'favourite' | 'unfavourite' | 'hide' | 'unhide' | 'trash' | 'restore' }
  | { readonly name: 'addToAlbum' | 'removeFromAlbum'; readonly albumId: string; readonly albumName: string };

const reverses = {
  favourite: 'unfavourite',
  unfavourite: 'favourite',
  hide: 'unhide',
  unhide: 'hide',
  trash: 'restore',
  restore: 'trash',
} as const;

/** The change that takes this one back. */
export const reverseOf = (change: ItemChange): ItemChange => {
  if ('albumId' in change) return { ...change, name: change.name === 'addToAlbum' ? 'removeFromAlbum' : 'addToAlbum' };
  return { name: reverses[change.name] };
};

/**
 * Makes the change at the server, 1,000 items at a time: what fails leaves the batches before it done.
 *
 * @throws ApiError `NOT_FOUND` when one of the items, or the album, is gone.
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
  }
}
