import { checkLibraryMarker } from '@hearth/core/backEnds/libraryMarker.ts';
import { findOriginalCheck, recordOriginalCheck } from '@hearth/core/originals/originalChecks.ts';
import type { OriginalCheck } from '@hearth/core/originals/originalCheck.ts';
import type { Deps } from '../../deps/deps.ts';

/**
 * Records missing and damaged originals by item id. Records nothing if the store lacks the marker of this library,
 * because then the store is at fault. If the database or the store is unavailable, a later check records the faults.
 */
export const recordFaults = async (
  { db, objects, log }: Pick<Deps, 'db' | 'objects' | 'log'>,
  faults: ReadonlyMap<string, OriginalCheck>,
): Promise<void> => {
  if (faults.size === 0) return;
  try {
    await checkLibraryMarker(objects, db);
    for (const [mediaItemId, fault] of faults) {
      if ((await findOriginalCheck(db, mediaItemId))?.state === fault.state) continue;
      await recordOriginalCheck(db, mediaItemId, fault);
      log.error({ mediaItemId, state: fault.state }, 'stored original differs from the upload; upload it again');
    }
  } catch (error) {
    log.warn({ err: error, mediaItemIds: [...faults.keys()] }, 'could not record faults of originals');
  }
};
