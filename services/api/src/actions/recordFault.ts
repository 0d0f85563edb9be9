import { findOriginalCheck, recordOriginalCheck } from '@hearth/core/db/items/originalChecks.ts';
import type { OriginalCheck } from '@hearth/core/originalCheck.ts';
import type { Deps } from '../deps/deps.ts';

/** Records that an original is missing or damaged, unless the last check says so. A database that is unavailable only delays the record. */
export const recordFault = async (
  { db, log }: Pick<Deps, 'db' | 'log'>,
  mediaItemId: string,
  fault: OriginalCheck,
): Promise<void> => {
  try {
    if ((await findOriginalCheck(db, mediaItemId))?.state === fault.state) return;
    await recordOriginalCheck(db, mediaItemId, fault);
    log.error({ mediaItemId, state: fault.state }, 'stored original is not what was uploaded; upload it again');
  } catch (error) {
    log.warn({ err: error, mediaItemId, state: fault.state }, 'fault of an original not recorded');
  }
};
