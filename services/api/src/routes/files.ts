import { NotFoundError } from '@hearth/core/errors.ts';
import { contentDisposition } from '../contentDisposition.ts';
import { answerWithObject } from '../http/answerWithObject.ts';
import type { Handlers } from '../http/handlers.ts';

const getFile: Handlers['getFile'] = async ({ links, objects }, { params, query, req }) => {
  const key = `${params.userId}/${params.mediaItemId}/${params.name}`;
  // As it was signed, character by character: no other case, escapes or slash at the end.
  if (req.path !== `/v1/files/${key}` || !links.verify(key, query)) throw new NotFoundError('file');
  // An object never changes under its key, but a browser has no right to what its link no longer opens.
  const maxAgeSeconds = Math.max(0, query.expires - Math.ceil(Date.now() / 1_000));
  return answerWithObject(objects, key, req, {
    type: query.type,
    contentDisposition: contentDisposition(query.filename),
    cacheControl: `private, max-age=${maxAgeSeconds}, immutable`,
  });
};

export const fileHandlers = { getFile } satisfies Partial<Handlers>;
