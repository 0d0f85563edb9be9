import { isDatabaseUnavailable } from '@hearth/core/db/connection/database.ts';
import { AppError } from '@hearth/core/errors.ts';
import type { ObjectInfo } from '@hearth/core/objects/objects.ts';
import type { Deps } from '../deps/deps.ts';
import { recordFaults } from './recordFaults.ts';

/**
 * Refuses to serve an original whose size is not the recorded one, and records that it is damaged or missing. If the database is
 * unavailable and the size is not cached, the original is served unchecked: files need no database.
 * @throws AppError ORIGINAL_DAMAGED
 */
export const refuseDamaged = async (
  deps: Pick<Deps, 'db' | 'objects' | 'log' | 'originalSizes'>,
  mediaItemId: string,
  found: ObjectInfo | undefined,
): Promise<void> => {
  const sizeBytes = await deps.originalSizes.find(mediaItemId).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return undefined;
    throw error;
  });
  if (sizeBytes === undefined || found?.sizeBytes === sizeBytes) return;
  const state = found === undefined ? 'MISSING' : 'DAMAGED';
  await recordFaults(deps, new Map([[mediaItemId, { state, modifiedAt: found?.modifiedAt }]]));
  if (found !== undefined) throw new AppError('ORIGINAL_DAMAGED');
};
