import { sql } from 'kysely';
import type { Pipeline, PoolName } from '../config/pipeline.ts';
import { selectRunKinds } from './componentRuns.ts';
import type { Database } from '../db/database.ts';

/** Maximum number of unready items to check per owner. The check runs twice a second, and thousands may be blocked. */
const maxChecked = 200;

/**
 * Returns an item that is due in a pool, that no worker holds, and whose owner is not in `ownerIds`. Checks only the
 * newest unready items of each owner, so the cost per owner does not depend on the backlog of others.
 */
export const findDueItemOfOthers = async (
  db: Database,
  pool: PoolName,
  ownerIds: readonly string[],
  pipeline?: Pipeline,
): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select due.id from users cross join lateral (
      select item.id from (
        select id from media_items
        where user_id = users.id and visibility = 'visible' and status = 'PROCESSING'
          and type = any(array(select kinds.type from ${selectRunKinds(pool, pipeline)}))
        order by local_time desc, id desc limit ${sql.lit(maxChecked)}
      ) as item
      where exists (
          select from component_runs as run
          where media_item_id = item.id and state = 'PENDING' and next_attempt_at <= now()
            and (component, type) in (select * from ${selectRunKinds(pool, pipeline)})
        )
        and not exists (
          select from component_runs where media_item_id = item.id and state = 'RUNNING' and lease_until > now()
        )
      limit 1
    ) as due
    where users.id <> all(${ownerIds}::uuid[]) limit 1`.execute(db);
  return rows[0]?.id;
};
