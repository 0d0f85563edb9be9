import { isDatabaseUnavailable } from '@hearth/core/db/connection/database.ts';
import { NotFoundError } from '@hearth/core/errors.ts';
import { contentDisposition } from '../contentDisposition.ts';
import type { Deps } from '../deps.ts';
import { answerWithObject } from '../http/answerWithObject.ts';
import type { Handlers } from '../http/handlers.ts';

/** An account that is being removed has no files any more. Where nobody can say, links work as ever: what they show is not the database's. */
const isThere = async ({ hasAccount }: Pick<Deps, 'hasAccount'>, userId: string): Promise<boolean> =>
  hasAccount(userId).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return true;
    throw error;
  });

const getFile: Handlers['getFile'] = async ({ hasAccount, links, objects }, { params, query, req }) => {
  const key = `${params.userId}/${params.mediaItemId}/${params.name}`;
  // As it was signed, character by character: no other case, escapes or slash at the end.
  if (req.path !== `/v1/files/${key}` || !links.verify(key, query)) throw new NotFoundError('file');
  if (!(await isThere({ hasAccount }, params.userId))) throw new NotFoundError('file');
  // An object never changes under its key, but a browser has no right to what its link no longer opens.
  const maxAgeSeconds = Math.max(0, query.expires - Math.ceil(Date.now() / 1_000));
  return answerWithObject(objects, key, req, {
    type: query.type,
    contentDisposition: contentDisposition(query.filename),
    cacheControl: `private, max-age=${maxAgeSeconds}, immutable`,
  });
};

export const fileHandlers = { getFile } satisfies Partial<Handlers>;
