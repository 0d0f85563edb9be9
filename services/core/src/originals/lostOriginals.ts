import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { redoRuns } from '../runs/retriedRuns.ts';

/** Selects runs that ended, or wait for a retry, because their original was missing or damaged. */
const metFault = sql<boolean>`reason in ('ORIGINAL_MISSING', 'ORIGINAL_DAMAGED') and state in ('PENDING', 'FAILED')`;

/** Selects runs that may have read wrong bytes. A run that is active loses its claim, so that its result is discarded. */
const hasRead = sql<boolean>`state in ('RUNNING', 'DONE', 'FAILED', 'SKIPPED') and reason is distinct from 'FEATURE_OFF'`;

/**
 * Makes runs of an item due again: those that met a missing or damaged original, and all runs that have begun if `isAllLost`, since their
 * results may come from wrong bytes. Returns whether there were any.
 */
export const redoLostRuns = async (db: Database, id: string, isAllLost: boolean): Promise<boolean> =>
  (await redoRuns(db, [id], sql`(${metFault} or ${isAllLost}::boolean and ${hasRead})`)) > 0;
