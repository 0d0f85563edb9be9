import { sql } from 'kysely';
import type { OriginalCheck } from './originalCheck.ts';
import { transaction, type Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';
import { retryRuns } from '../runs/retryRuns.ts';

/** The last recorded check of an original. */
export interface RecordedCheck extends OriginalCheck {
  readonly checkedAt: Date;
}

/**
 * Records a check of an original, unless the item is deleted or being deleted. Record OK only after comparing all
 * bytes: a re-upload then trusts the stored object until its modification time changes. If the last check found a fault
 * and this one is OK, makes the item's runs due again in the same transaction. Their results may come from wrong bytes.
 * @returns true if runs became due
 */
export const recordOriginalCheck = async (
  db: Database,
  id: string,
  { state, modifiedAt }: OriginalCheck,
): Promise<boolean> =>
  transaction(db, async (trx) => {
    const { rows } = await sql<{ user_id: string }>`
      select user_id from media_items where id = ${id} and removing_at is null for update`.execute(trx);
    const [item] = rows;
    if (item === undefined) return false;
    const earlier = await findOriginalCheck(trx, id);
    await trx
      .insertInto('original_checks')
      .values({ media_item_id: id, user_id: item.user_id, state, object_modified_at: modifiedAt ?? null })
      .onConflict((on) =>
        on.column('media_item_id').doUpdateSet((eb) => ({
          state: eb.ref('excluded.state'),
          object_modified_at: eb.ref('excluded.object_modified_at'),
          checked_at: sql<Date>`now()`,
        })),
      )
      .execute();
    const isRepaired = state === 'OK' && earlier !== undefined && earlier.state !== 'OK';
    return isRepaired ? retryRunsOfOriginal(trx, id, true) : false;
  });

/** Returns undefined if the original has not been checked yet. */
export const findOriginalCheck = async (db: Database, id: string): Promise<RecordedCheck | undefined> => {
  const row = await prepared(db, 'original_check')
    .selectFrom('original_checks')
    .select(['state', 'checked_at', 'object_modified_at'])
    .where('media_item_id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      state: row.state,
      checkedAt: row.checked_at,
      modifiedAt: row.object_modified_at ?? undefined,
    }
  );
};

/** Condition that a run failed, or waits for a retry, because its original was missing or damaged. */
const failedOnOriginal = sql<boolean>`reason in ('ORIGINAL_MISSING', 'ORIGINAL_DAMAGED') and state in ('PENDING', 'FAILED')`;

/** Condition that a run may have read wrong bytes. An active run loses its claim, so its result is discarded. */
const mayHaveReadOriginal = sql<boolean>`state in ('RUNNING', 'DONE', 'FAILED', 'SKIPPED') and reason is distinct from 'FEATURE_OFF'`;

/**
 * Makes those runs of an item due again that failed on a missing or damaged original. `includesFinished` also selects
 * all runs that have started, because their results may come from wrong bytes. Returns true if there were any.
 */
export const retryRunsOfOriginal = async (db: Database, id: string, includesFinished: boolean): Promise<boolean> =>
  (await retryRuns(db, [id], sql`(${failedOnOriginal} or ${includesFinished}::boolean and ${mayHaveReadOriginal})`)) >
  0;
