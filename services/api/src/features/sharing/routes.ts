import type { Request } from 'express';
import type { AlbumRow } from '@hearth/core/db/schema.ts';
import { findSharedAlbum, findSharedItem, listSharedItems, summariseSharedAlbum } from './queries.ts';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { getPreviewType } from '@hearth/core/objects/keys.ts';
import { rateLimitGuesses } from '../../http/access/rateLimitGuesses.ts';
import { prepareVideos } from './prepareShared.ts';
import { contentDisposition } from '../../links/filenames.ts';
import type { Deps } from '../../deps/deps.ts';
import { respondWithObject } from '../../http/responses/respondWithObject.ts';
import { getNetwork } from '../../http/requests/clientAddress.ts';
import type { Handlers } from '../../http/handle.ts';
import { itemPageHeaders, toPage } from '../../lists/mediaItemPage.ts';
import { presentSharedAlbum, presentSharedItem } from './presenter.ts';
import { getSharedKeys } from './sharedKeys.ts';
import { sharedFilePath } from '../../links/sharedLinks.ts';

const requireAlbum = async ({ db, config }: Deps, shareId: string, req: Request): Promise<AlbumRow> =>
  rateLimitGuesses(db, { network: getNetwork(req), id: shareId }, () => findSharedAlbum(db, shareId, config));

const getSharedAlbum: Handlers['getSharedAlbum'] = async (deps, { params, req, requestId }) => {
  const album = await requireAlbum(deps, params.id, req);
  const summary = await summariseSharedAlbum(deps.db, album.id);
  await prepareVideos(deps, summary.cover === undefined ? [] : [summary.cover], requestId);
  return { status: 200, body: presentSharedAlbum(deps.sharedLinks, params.id, album, summary) };
};

const listSharedMediaItems: Handlers['listSharedMediaItems'] = async (deps, { params, query, req, requestId }) => {
  const { id } = await requireAlbum(deps, params.id, req);
  const page = await listSharedItems(deps.db, id, toPage(query));
  await prepareVideos(deps, page.items, requestId);
  return {
    status: 200,
    headers: itemPageHeaders(page, query, req.originalUrl),
    body: page.items.slice(0, query.limit).map((row) => presentSharedItem(deps.sharedLinks, params.id, row)),
  };
};

const getSharedFile: Handlers['getSharedFile'] = async (deps, { params, query, req }) => {
  const { db, config, objects, sharedLinks } = deps;
  // The path must equal the signed one exactly. Invalid links do not count as guesses, because they reveal nothing.
  if (req.path !== sharedFilePath(params) || !sharedLinks.verify(params, query)) throw new NotFoundError('file');
  const row = await findSharedItem(db, params.shareId, params.mediaItemId, config);
  const key = row === undefined ? undefined : getSharedKeys(row)[params.rendition];
  if (key === undefined) throw new NotFoundError('file');
  return respondWithObject(objects, key, req, {
    type: getPreviewType(key),
    contentDisposition: contentDisposition(undefined),
    // A browser may cache the file, but must revalidate it before each use.
    cacheControl: 'private, no-cache',
  });
};

export const sharingHandlers = { getSharedAlbum, listSharedMediaItems, getSharedFile } satisfies Partial<Handlers>;
