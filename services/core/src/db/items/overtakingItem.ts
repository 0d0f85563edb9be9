import { sql } from 'kysely';
import type { Pipeline, PoolName } from '../../pipeline.ts';
import type { Database } from '../connection/database.ts';
import { belongsTo } from '../runs/poolRuns.ts';

/**
 * A photo that is due in a pool, that nobody works on and whose owner is none of these; undefined where there is none. Each user costs a look
 * into the index of what is not READY, however much the others have waiting.
 */
export const findDueItemOfOthers = async (
  db: Database,
  pool: PoolName,
  ownerIds: readonly string[],
  pipeline?: Pipeline,
): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select due.id from users cross join lateral (
      select item.id from media_items as item
      where item.user_id = users.id and item.visibility = 'visible' and item.status = 'PROCESSING'
        and item.type = 'PHOTO' and item.removing_at is null
        and exists (
          select from component_runs where media_item_id = item.id and ${belongsTo(pool, 'component_runs', 'item', pipeline)}
            and state = 'PENDING' and next_attempt_at <= now()
        )
        and not exists (
          select from component_runs where media_item_id = item.id and state = 'RUNNING' and lease_until > now()
        )
      order by item.local_time desc, item.id desc limit 1
    ) as due
    where users.id <> all(${ownerIds}::uuid[]) limit 1`.execute(db);
  return rows[0]?.id;
};
