import { sql } from 'kysely';
import { versionOf } from '../../pipeline.ts';
import type { Database } from '../connection/database.ts';

/**
 * Asks for the copies without metadata of these videos and photos with clips, and answers those that are to be worked on. One that has
 * failed is not asked for again.
 */
export const askForSharedVideos = async (db: Database, ids: readonly string[]): Promise<readonly string[]> => {
  if (ids.length === 0) return [];
  const version = versionOf('TRANSCODE');
  const { rows: asked } = await sql<{ id: string }>`
    insert into component_runs as run (media_item_id, user_id, component, type, version)
    select id, user_id, 'TRANSCODE', type, ${version} from media_items
    where id = any(${ids}::uuid[]) and removing_at is null order by id
    on conflict (media_item_id, component) do update set
      state = 'PENDING', attempts = 0, reason = null, next_attempt_at = now()
    where run.state in ('DONE', 'SKIPPED')
    returning media_item_id as id`.execute(db);
  return asked.map(({ id }) => id);
};
