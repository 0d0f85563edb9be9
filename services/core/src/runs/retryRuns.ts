import { sql, type RawBuilder } from 'kysely';
import { transaction, type Database } from '../db/database.ts';
import { updateStatus } from './itemStatus.ts';

/** Makes the runs that fulfil a condition due again and resets their attempts. Returns the number of items. */
export const retryRuns = async (
  db: Database,
  ids: readonly string[],
  condition: RawBuilder<boolean>,
): Promise<number> =>
  transaction(db, async (trx) => {
    // Locks items before runs, and ordered by id, as everywhere, to avoid deadlocks.
    const { rows: items } = await sql<{ id: string }>`
      select id from media_items
      where id = any(${ids}::uuid[]) and removing_at is null order by id for update`.execute(trx);
    const { rows: changed } = await sql<{ id: string }>`
      update component_runs set state = 'PENDING', attempts = 0, reason = null, next_attempt_at = now(),
        claim_id = null, lease_until = null, progress = null
      where media_item_id = any(${items.map(({ id }) => id)}::uuid[]) and ${condition}
      returning media_item_id as id`.execute(trx);
    const retried = new Set(changed.map(({ id }) => id));
    for (const id of retried) await updateStatus(trx, id);
    return retried.size;
  });
