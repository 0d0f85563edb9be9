import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { FaceRow } from './peopleTables.ts';

/**
 * The faces that stand for people, by the people's ids: the best one of the item that was chosen by hand while that is visible and has one,
 * else the best of all that are visible; none where no item is visible.
 */
export const findCoverFaces = async (
  db: Database,
  personIds: readonly string[],
): Promise<ReadonlyMap<string, FaceRow>> => {
  const { rows } = await sql<FaceRow>`
    select face.* from collections
    cross join lateral (
      select coalesce(
        (select id from faces
          where media_item_id = cover_id and person_id = collections.id and visibility = 'visible'
          order by quality desc, id limit 1),
        (select id from faces where person_id = collections.id and visibility = 'visible'
          order by quality desc, id limit 1)
      ) as id
    ) as cover
    join faces as face on face.id = cover.id
    where collections.id = any(${personIds}::uuid[])`.execute(db);
  return new Map(rows.map((face) => [face.person_id, face]));
};
