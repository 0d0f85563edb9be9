import { sql } from 'kysely';
import { groupRemainingPictures } from '@hearth/core/duplicates/groupPictures.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { type Lease, underLease } from './leases/leases.ts';
import type { Deps } from '../deps/deps.ts';

/** Photos per transaction, which takes about a second and blocks uploads of their owner. */
const batch = 300;

/** Maximum number of transactions per run of the task, so that other long tasks are not delayed. */
const maxSteps = 50;

/** Groups photos that were left ungrouped because the transaction that changed their groups reached its limit. */
export const groupDuplicates = async ({ db }: Pick<Deps, 'db'>, lease: Lease, signal?: AbortSignal): Promise<void> => {
  for (let step = 0; step < maxSteps; step += 1) {
    const userId = await findUngrouped(db);
    if (userId === undefined || signal?.aborted === true) return;
    await underLease(db, lease, (trx) => groupRemainingPictures(trx, userId, batch));
  }
};

/** Returns a user with ungrouped photos, or undefined if none are left. */
export const findUngrouped = async (db: Database): Promise<string | undefined> => {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from unsettled_pictures order by media_item_id limit 1`.execute(db);
  return rows[0]?.userId;
};
