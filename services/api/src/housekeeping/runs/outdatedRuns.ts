import { sql } from 'kysely';
import type { ComponentSpec } from '@hearth/core/config/pipeline.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { firstId } from '@hearth/core/db/ids.ts';
import type { OpenedRun } from '@hearth/core/runs/jobRuns.ts';

/** Returns true if results may be outdated. A cheap check before a transaction under the lease, which is a write. */
export const mayBeOutdated = async (db: Database, { name, version }: ComponentSpec): Promise<boolean> =>
  !isChecked(await findCheck(db, name), version);

/**
 * Makes runs with results of earlier versions due again, up to `limit` items per call, and returns them. Repeated calls
 * pass through the library once per version, by item id, and cost almost nothing afterwards. Old results stay until new
 * ones replace them.
 */
export const restartOutdatedRuns = async (
  db: Database,
  { name, version }: ComponentSpec,
  limit: number,
): Promise<readonly OpenedRun[]> => {
  const check = await findCheck(db, name);
  if (isChecked(check, version)) return [];
  const after = check?.version === version ? (check.checked_to ?? firstId) : firstId;
  return transaction(db, async (trx) => {
    const checked = await trx
      .selectFrom('component_runs')
      .select('media_item_id as id')
      .where('component', '=', name)
      .where('media_item_id', '>', after)
      .orderBy('media_item_id')
      .limit(limit)
      .execute();
    // Skips runs that are due, running or blocked: they will use the new version anyway.
    const { rows: restarted } = await sql<OpenedRun>`
      update component_runs set state = 'PENDING', attempts = 0, next_attempt_at = now()
      where component = ${name} and media_item_id = any(${checked.map(({ id }) => id)}::uuid[])
        and version < ${version} and state in ('DONE', 'FAILED', 'SKIPPED') and reason is distinct from 'FEATURE_OFF'
      returning media_item_id as "mediaItemId", component, type`.execute(trx);
    const next = checked.length < limit ? null : checked.at(-1)!.id;
    await trx
      .insertInto('component_checks')
      .values({ component: name, version, checked_to: next })
      .onConflict((on) => on.column('component').doUpdateSet({ version, checked_to: next }))
      .execute();
    return restarted;
  });
};

const findCheck = async (db: Database, name: string) =>
  db.selectFrom('component_checks').selectAll().where('component', '=', name).executeTakeFirst();

/**
 * Returns true if all results were checked for this version, or if a newer version has run: then this process is about
 * to be replaced.
 */
const isChecked = (check: { version: number; checked_to: string | null } | undefined, version: number): boolean =>
  check !== undefined && (check.version > version || (check.version === version && check.checked_to === null));
