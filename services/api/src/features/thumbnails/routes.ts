import { NotFoundError } from '@hearth/core/log/errors.ts';
import { mediaItemPrefix } from '@hearth/core/objects/keys.ts';
import { contentDisposition } from '../../links/filenames.ts';
import { respondWithObject } from '../../http/responses/respondWithObject.ts';
import type { Handlers } from '../../http/handle.ts';
import { createCacheControl } from '../../links/links.ts';
import { thumbnailPath } from '../../links/thumbnailLinks.ts';

const getThumbnail: Handlers['getThumbnail'] = async ({ linkStates, thumbnailLinks, objects }, { params, req }) => {
  // The path must equal the signed one exactly: no other case, escapes or trailing slash.
  if (req.path !== thumbnailPath(params) || !thumbnailLinks.verify(params)) throw new NotFoundError('file');
  const { userId, mediaItemId } = params;
  const isOpen = await linkStates.check(
    userId,
    // One signature covers all items, but hidden ones must be excluded.
    ({ epoch, hiddenIds }) => epoch === params.epoch && !hiddenIds.has(mediaItemId),
  );
  if (!isOpen) throw new NotFoundError('file');
  return respondWithObject(objects, `${mediaItemPrefix(userId, mediaItemId)}${params.name}`, req, {
    type: 'image/webp',
    contentDisposition: contentDisposition(undefined),
    cacheControl: createCacheControl(params.expires),
  });
};

export const thumbnailHandlers = { getThumbnail } satisfies Partial<Handlers>;
