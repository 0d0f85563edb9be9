import type { Album } from '@hearth/contract/albums.ts';
import type { Album as AlbumWithItems } from './queries.ts';
import type { ItemView } from '../../lists/itemView.ts';
import { presentMediaItem } from '../../lists/mediaItem.ts';

/** An album as its owner sees it. */
export const presentAlbum = (view: ItemView, album: AlbumWithItems): Album => ({
  id: album.id,
  userId: album.user_id,
  name: album.name,
  ...(album.description !== null && { description: album.description }),
  ...(album.cover !== undefined && {
    coverMediaItemId: album.cover.id,
    coverMediaItem: presentMediaItem(view, album.cover),
  }),
  shared: album.is_shared,
  ...(album.share_id !== null && { shareId: album.share_id }),
  hidden: album.is_hidden,
  mediaItemsCount: album.itemCount,
  createdAt: album.created_at.toISOString(),
  updatedAt: album.updated_at.toISOString(),
});
