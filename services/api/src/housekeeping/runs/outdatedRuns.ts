import { sql } from 'kysely';
import type { ComponentSpec } from '@hearth/core/config/pipeline.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { firstId } from '@hearth/core/db/ids.ts';
import type { OpenedRun } from '@hearth/core/runs/jobRuns.ts';

/** Whether not all results have been looked at since this component got its version: asked first, since a lease is a write. */
export const mayBeOutdated = async (db: Database, { name, version }: ComponentSpec): Promise<boolean> =>
  !isChecked(await findCheck(db, name), version);

/**
 * Makes the results of earlier versions of this component due again, of at most `limit` items, and answers these runs. Called again and again, it
 * goes through the library once for each new version, in the order of the items' ids, and costs next to nothing afterwards. A result stays in place
 * until the new one is written.
 */
export const redoOutdatedRuns = async (
  db: Database,
  { name, version }: ComponentSpec,
  limit: number,
): Promise<readonly OpenedRun[]> => {
  const check = await findCheck(db, name);
  if (isChecked(check, version)) return [];
  const after = check?.version === version ? (check.checked_to ?? firstId) : firstId;
  return transaction(db, async (trx) => {
    const looked = await trx
      .selectFrom('component_runs')
      .select('media_item_id as id')
      .where('component', '=', name)
      .where('media_item_id', '>', after)
      .orderBy('media_item_id')
      .limit(limit)
      .execute();
    // Runs that are due or being worked on become new by themselves, and blocked runs when they are no longer blocked.
    const { rows: redone } = await sql<OpenedRun>`
      update component_runs set state = 'PENDING', attempts = 0, next_attempt_at = now()
      where component = ${name} and media_item_id = any(${looked.map(({ id }) => id)}::uuid[])
        and version < ${version} and state in ('DONE', 'FAILED', 'SKIPPED') and reason is distinct from 'FEATURE_OFF'
      returning media_item_id as "mediaItemId", component, type`.execute(trx);
    const next = looked.length < limit ? null : looked.at(-1)!.id;
    await trx
      .insertInto('component_checks')
      .values({ component: name, version, checked_to: next })
      .onConflict((on) => on.column('component').doUpdateSet({ version, checked_to: next }))
      .execute();
    return redone;
  });
};

const findCheck = async (db: Database, name: string) =>
  db.selectFrom('component_checks').selectAll().where('component', '=', name).executeTakeFirst();

/**
 * Whether all results have been looked at for this version. Also true where a process of a newer version has been here: then this process is about to
 * be replaced.
 */
const isChecked = (check: { version: number; checked_to: string | null } | undefined, version: number): boolean =>
  check !== undefined && (check.version > version || (check.version === version && check.checked_to === null));
