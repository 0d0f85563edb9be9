import { checkLibraryMarker } from '@hearth/core/backEnds/libraryMarker.ts';
import { findOriginalCheck, recordOriginalCheck } from '@hearth/core/db/items/originalChecks.ts';
import type { OriginalCheck } from '@hearth/core/originalCheck.ts';
import type { Deps } from '../deps/deps.ts';

/**
 * Records that an original is missing or damaged, unless the last check says so. Records nothing if the store lacks the marker of this library:
 * then the store is at fault. If the database or the store is unavailable, a later check records the fault.
 */
export const recordFault = async (
  { db, objects, log }: Pick<Deps, 'db' | 'objects' | 'log'>,
  mediaItemId: string,
  fault: OriginalCheck,
): Promise<void> => {
  try {
    if ((await findOriginalCheck(db, mediaItemId))?.state === fault.state) return;
    await checkLibraryMarker(objects, db);
    await recordOriginalCheck(db, mediaItemId, fault);
    log.error({ mediaItemId, state: fault.state }, 'stored original is not what was uploaded; upload it again');
  } catch (error) {
    log.warn({ err: error, mediaItemId, state: fault.state }, 'fault of an original not recorded');
  }
};
