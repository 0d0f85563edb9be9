import { NotFoundError, AppError } from '@hearth/core/log/errors.ts';
import { isOriginalKey } from '@hearth/core/objects/keys.ts';
import { contentDisposition } from '../../links/filenames.ts';
import { respondWithObject } from '../../http/responses/respondWithObject.ts';
import type { Handlers } from '../../http/handle.ts';
import { createCacheControl } from '../../links/links.ts';
import type { ObjectInfo } from '@hearth/core/objects/objects.ts';
import type { Deps } from '../../deps/deps.ts';
import { recordFaults } from '../originals/recordFaults.ts';
import { findExpectedOriginal } from '../originals/queries.ts';

const getFile: Handlers['getFile'] = async (deps, { params, query, req }) => {
  const { linkStates, links, objects } = deps;
  const key = `${params.userId}/${params.mediaItemId}/${params.name}`;
  // The path must equal the signed one exactly: no other case, escapes or trailing slash.
  if (req.path !== `/v1/files/${key}` || !links.verify(key, query)) throw new NotFoundError('file');
  if (!(await linkStates.check(params.userId, ({ epoch }) => epoch === query.epoch))) throw new NotFoundError('file');
  return respondWithObject(objects, key, req, {
    type: query.type,
    contentDisposition: contentDisposition(query.filename),
    cacheControl: createCacheControl(query.expires),
    // Renditions need no lookup.
    inspect: isOriginalKey(key) ? (found) => rejectDamaged(deps, params.mediaItemId, found) : undefined,
  });
};

export const fileHandlers = { getFile } satisfies Partial<Handlers>;

/**
 * Rejects an original that the last check found damaged or whose size differs from its record, and records a new fault.
 * Reads the record for each request, so that a repaired original is served at once.
 * @throws AppError ORIGINAL_DAMAGED
 */
const rejectDamaged = async (
  deps: Pick<Deps, 'db' | 'objects' | 'log'>,
  mediaItemId: string,
  found: ObjectInfo | undefined,
): Promise<void> => {
  const expected = await findExpectedOriginal(deps.db, mediaItemId);
  if (expected === undefined) return;
  if (found?.sizeBytes !== expected.sizeBytes) {
    const state = found === undefined ? 'MISSING' : 'DAMAGED';
    await recordFaults(deps, new Map([[mediaItemId, { state, modifiedAt: found?.modifiedAt }]]));
  } else if (expected.state !== 'DAMAGED') return;
  if (found !== undefined) throw new AppError('ORIGINAL_DAMAGED');
};
