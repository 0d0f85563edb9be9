import { NotFoundError } from '@hearth/core/errors.ts';
import { mediaItemPrefix } from '@hearth/core/objects/keys.ts';
import { contentDisposition } from '../filenames/contentDisposition.ts';
import { answerWithObject } from '../http/answerWithObject.ts';
import type { Handlers } from '../http/handlers.ts';
import { isThere } from '../http/isThere.ts';
import { keepUntil } from '../links/links.ts';
import { thumbnailPath } from '../links/thumbnailLinks.ts';

const getThumbnail: Handlers['getThumbnail'] = async ({ hasAccount, thumbnailLinks, objects }, { params, req }) => {
  // The path must be exactly the signed one: no other case, escapes or trailing slash.
  if (req.path !== thumbnailPath(params) || !thumbnailLinks.verify(params)) throw new NotFoundError('file');
  if (!(await isThere({ hasAccount }, params.userId))) throw new NotFoundError('file');
  return answerWithObject(objects, `${mediaItemPrefix(params.userId, params.mediaItemId)}${params.name}`, req, {
    type: 'image/webp',
    contentDisposition: contentDisposition(undefined),
    cacheControl: keepUntil(params.expires),
  });
};

export const thumbnailHandlers = { getThumbnail } satisfies Partial<Handlers>;
