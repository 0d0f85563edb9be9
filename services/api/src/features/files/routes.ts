import { NotFoundError } from '@hearth/core/log/errors.ts';
import { isOriginalKey } from '@hearth/core/objects/keys.ts';
import { refuseDamaged } from '../originals/refuseDamaged.ts';
import { contentDisposition } from '../../filenames/contentDisposition.ts';
import { answerWithObject } from '../../http/answerWithObject.ts';
import type { Handlers } from '../../http/handlers.ts';
import { keepUntil } from '../../links/links.ts';

const getFile: Handlers['getFile'] = async (deps, { params, query, req }) => {
  const { linkStates, links, objects } = deps;
  const key = `${params.userId}/${params.mediaItemId}/${params.name}`;
  // The path must be exactly the signed one: no other case, escapes or trailing slash.
  if (req.path !== `/v1/files/${key}` || !links.verify(key, query)) throw new NotFoundError('file');
  if (!(await linkStates.check(params.userId, ({ epoch }) => epoch === query.epoch))) throw new NotFoundError('file');
  return answerWithObject(objects, key, req, {
    type: query.type,
    contentDisposition: contentDisposition(query.filename),
    cacheControl: keepUntil(query.expires),
    // Renditions need no lookup.
    inspect: isOriginalKey(key) ? (found) => refuseDamaged(deps, params.mediaItemId, found) : undefined,
  });
};

export const fileHandlers = { getFile } satisfies Partial<Handlers>;
