import { closeAlbum, removeClosedAlbum } from './albumRemoval.ts';
import {
  getAlbum as getRow,
  insertAlbum,
  listAlbums as listRows,
  listAlbumsOfItem,
  touchAlbum,
  updateAlbum as updateRow,
  type AlbumOrder,
  type AlbumPosition,
  type Album as AlbumWithItems,
} from './queries.ts';
import {
  addToCollection,
  checkCollection,
  listCollectionItems,
  removeFromCollection,
} from '../../lists/collections.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import { prepareAlbum } from '../sharing/prepareShared.ts';
import type { Handlers } from '../../http/handle.ts';
import { viewCovers, type ItemView } from '../../lists/itemView.ts';
import { toPage, presentMediaItemPage } from '../../lists/mediaItemPage.ts';
import { nextPageLink, pageIn, createCursors, type Cursors } from '../../lists/listPage.ts';
import { cursors, ByName, ByTime } from '../../lists/positions.ts';
import type { Album } from '@hearth/contract/albums.ts';
import { presentMediaItem } from '../../lists/mediaItem.ts';

const orders = { name: 'sort_name', createdAt: 'created_at', updatedAt: 'updated_at' } as const satisfies Record<
  string,
  AlbumOrder
>;

const listAlbums: Handlers['listAlbums'] = async ({ db, links }, { query, user, req }) => {
  const { sort, shared: isShared, hidden: isHidden } = query;
  const isDescending = sort.startsWith('-');
  const order = orders[sort.replace('-', '') as keyof typeof orders];
  const orderCursors = albumCursors(order, isDescending);
  const {
    entries: albums,
    next,
    totalCount,
  } = await listRows(db, user.userId, { isShared, isHidden, order, isDescending }, pageIn(orderCursors, query));
  const view = viewCovers(links, user, albums);
  return {
    status: 200,
    headers: { 'X-Total-Count': totalCount, Link: nextPageLink(orderCursors, next, req.originalUrl) },
    body: albums.map((album) => presentAlbum(view, album)),
  };
};

const createAlbum: Handlers['createAlbum'] = async (deps, { body, user, requestId }) => {
  const { db } = deps;
  const { name, description = null, coverMediaItemId, shared: isShared, hidden: isHidden } = body;
  const album = await transaction(db, async (trx) => {
    const id = await insertAlbum(trx, user.userId, { name, description, isShared, isHidden });
    if (coverMediaItemId !== undefined) {
      // The cover must be one of the album's items, so it becomes the first.
      await addToCollection(trx, user.userId, id, [coverMediaItemId]);
      await updateRow(trx, user.userId, id, { coverId: coverMediaItemId });
    }
    return getRow(trx, user.userId, id);
  });
  await prepareAlbum(deps, album, requestId);
  const view = viewCovers(deps.links, user, [album]);
  return { status: 201, headers: { Location: `/v1/albums/${album.id}` }, body: presentAlbum(view, album) };
};

const getAlbum: Handlers['getAlbum'] = async ({ db, links }, { params, user }) => {
  const album = await getRow(db, user.userId, params.id);
  return { status: 200, body: presentAlbum(viewCovers(links, user, [album]), album) };
};

const updateAlbum: Handlers['updateAlbum'] = async (deps, { params, body, user, requestId }) => {
  const { name, description, coverMediaItemId: coverId, shared: isShared, hidden: isHidden } = body;
  const album = await updateRow(deps.db, user.userId, params.id, { name, description, coverId, isShared, isHidden });
  if (isShared === true) await prepareAlbum(deps, album, requestId);
  return { status: 204 };
};

const deleteAlbum: Handlers['deleteAlbum'] = async ({ db, log }, { params: { id }, user }) => {
  await closeAlbum(db, user.userId, id);
  // The album is hidden by now. Housekeeping completes a failed removal.
  await removeClosedAlbum((work) => transaction(db, work), id).catch((error: unknown) =>
    log.warn({ err: error }, 'album not removed yet; housekeeping will remove it'),
  );
  return { status: 204 };
};

const listAlbumMediaItems: Handlers['listAlbumMediaItems'] = async ({ db, links }, { params, query, user, req }) => {
  await checkCollection(db, user.userId, 'album', params.id);
  const page = await listCollectionItems(db, params.id, toPage(query));
  return presentMediaItemPage(links, user, page, query, req.originalUrl);
};

const addToAlbum: Handlers['addToAlbum'] = async (deps, { params, body, user, requestId }) => {
  const album = await transaction(deps.db, async (trx) => {
    const touched = await touchAlbum(trx, user.userId, params.id);
    await addToCollection(trx, user.userId, params.id, body.mediaItems);
    return touched;
  });
  await prepareAlbum(deps, album, requestId);
  return { status: 204 };
};

const removeFromAlbum: Handlers['removeFromAlbum'] = async ({ db }, { params, body, user }) => {
  await transaction(db, async (trx) => {
    await touchAlbum(trx, user.userId, params.id);
    await removeFromCollection(trx, user.userId, params.id, body.mediaItems);
  });
  return { status: 204 };
};

const listMediaItemAlbums: Handlers['listMediaItemAlbums'] = async ({ db, links }, { params, query, user, req }) => {
  await getMediaItem(db, user.userId, params.id);
  const page = pageIn(cursors.albumsOfItem, query);
  const { entries: albums, next } = await listAlbumsOfItem(db, user.userId, params.id, page);
  const view = viewCovers(links, user, albums);
  return {
    status: 200,
    headers: { Link: nextPageLink(cursors.albumsOfItem, next, req.originalUrl) },
    body: albums.map((album) => presentAlbum(view, album)),
  };
};

export const albumHandlers = {
  listAlbums,
  createAlbum,
  getAlbum,
  updateAlbum,
  deleteAlbum,
  listAlbumMediaItems,
  addToAlbum,
  removeFromAlbum,
  listMediaItemAlbums,
} satisfies Partial<Handlers>;

/** Cursors of a user's albums in one order. Other orders reject them. */
const albumCursors = (order: AlbumOrder, isDescending: boolean): Cursors<AlbumPosition> =>
  createCursors<AlbumPosition>(`albums ${isDescending ? '-' : ''}${order}`, order === 'sort_name' ? ByName : ByTime);

/** Converts an album to its API form for the owner. */
const presentAlbum = (view: ItemView, album: AlbumWithItems): Album => ({
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
