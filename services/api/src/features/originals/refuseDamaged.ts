import { findExpectedOriginal } from '@hearth/core/originals/originalChecks.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import type { ObjectInfo } from '@hearth/core/objects/objects.ts';
import type { Deps } from '../../deps/deps.ts';
import { recordFaults } from './recordFaults.ts';

/**
 * Refuses to serve an original that the last check found damaged, or whose size is not the recorded one, and records a new fault. The record is
 * read for each request, so that a repaired original is served at once.
 * @throws AppError ORIGINAL_DAMAGED
 */
export const refuseDamaged = async (
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
