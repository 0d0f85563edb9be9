import { sql } from 'kysely';
import { firstId } from '@hearth/core/db/ids.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { lockPeople } from '@hearth/core/people/itemFaces.ts';
import { clearCachedFaces } from '@hearth/core/people/userFaces.ts';

/** Items per transaction. */
const batchSize = 500;

/**
 * Deletes all faces, embeddings and people of a user for whom this deletion has started, and records its end. The caller
 * must delete the face pictures first. Stops between two batches when `signal` aborts; the next call continues. Part of
 * the feature's switch, see [Note: People switched off].
 */
export const deletePeopleOfUser = async (db: Database, userId: string, signal?: AbortSignal): Promise<void> => {
  for (
    let ids = await listItemIds(db, userId, firstId);
    ids.length > 0;
    ids = await listItemIds(db, userId, ids.at(-1)!)
  ) {
    if (signal?.aborted === true) return;
    await deleteFaces(db, userId, ids);
  }
  await transaction(db, async (trx) => {
    await lockPeople(trx, userId);
    await sql`delete from collections where user_id = ${userId} and kind = 'person'`.execute(trx);
    await sql`update people_off set forgotten_at = now() where user_id = ${userId}`.execute(trx);
  });
  clearCachedFaces(userId);
};

const listItemIds = async (db: Database, userId: string, after: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from media_items where user_id = ${userId} and id > ${after} order by id limit ${sql.lit(batchSize)}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};

const deleteFaces = async (db: Database, userId: string, mediaItemIds: readonly string[]): Promise<void> =>
  transaction(db, async (trx) => {
    await lockPeople(trx, userId);
    const { rows } = await sql<{ id: string }>`
      select id from media_items where id = any(${mediaItemIds}::uuid[]) order by id for no key update`.execute(trx);
    const ids = sql`${rows.map(({ id }) => id)}::uuid[]`;
    await sql`delete from faces where media_item_id = any(${ids})`.execute(trx);
    await sql`
      delete from collection_items using people where media_item_id = any(${ids}) and collection_id = people.id`.execute(
      trx,
    );
    await sql`
      update component_runs set
        state = 'SKIPPED', reason = 'FEATURE_OFF', blocked_on = null, claim_id = null, lease_until = null, progress = null,
        finished_at = now(), job_id = null, earlier = null
      where component = 'FACES' and media_item_id = any(${ids}) and reason is distinct from 'FEATURE_OFF'
        and (state <> 'RUNNING' or lease_until < clock_timestamp())`.execute(trx);
  });
