import { sql } from 'kysely';
import { components as builtComponents, type ComponentSpec, type PoolName } from '../../pipeline.ts';
import { transaction, type Database } from '../connection/database.ts';

/** Before every id. */
const noId = '00000000-0000-0000-0000-000000000000';

/** Whether not all results have been looked at since a component of this pool got its version: asked first, since a lease is a write. */
export const mayBeOutdated = async (
  db: Database,
  pool: PoolName,
  components: readonly ComponentSpec[] = builtComponents,
): Promise<boolean> => {
  const checks = await db.selectFrom('component_checks').selectAll().execute();
  return components.some(({ name, version, pool: own }) => {
    const check = checks.find(({ component }) => component === name);
    return own === pool && !isChecked(check, version);
  });
};

/** Whether that is so for this version, or a process of a newer one has been here, and this one is about to be replaced. */
const isChecked = (check: { version: number; checked_to: string | null } | undefined, version: number): boolean =>
  check !== undefined && (check.version > version || (check.version === version && check.checked_to === null));

/**
 * Makes due again what was made by an earlier version of a component of this pool, of at most `limit` items, and answers these. Called again
 * and again it passes over the library once for each new version, by the items' ids, and costs next to nothing afterwards. A result
 * stays in place until the new one is written.
 */
export const redoOutdatedRuns = async (
  db: Database,
  pool: PoolName,
  limit: number,
  components: readonly ComponentSpec[] = builtComponents,
): Promise<string[]> => {
  const ids = new Set<string>();
  for (const component of components.filter((each) => each.pool === pool)) {
    for (const id of await redoOutdatedRunsOf(db, component, limit)) ids.add(id);
  }
  return [...ids];
};

const redoOutdatedRunsOf = async (
  db: Database,
  { name, version }: ComponentSpec,
  limit: number,
): Promise<readonly string[]> => {
  const check = await db.selectFrom('component_checks').selectAll().where('component', '=', name).executeTakeFirst();
  if (isChecked(check, version)) return [];
  const after = check?.version === version ? (check.checked_to ?? noId) : noId;
  return transaction(db, async (trx) => {
    const looked = await trx
      .selectFrom('component_runs')
      .select('media_item_id as id')
      .where('component', '=', name)
      .where('media_item_id', '>', after)
      .orderBy('media_item_id')
      .limit(limit)
      .execute();
    const redone = await trx
      .updateTable('component_runs')
      .set({ state: 'PENDING', attempts: 0, next_attempt_at: sql`now()` })
      .where('component', '=', name)
      .where('media_item_id', 'in', looked.map(({ id }) => id).concat(noId))
      .where('version', '<', version)
      // What is due or being worked on becomes new by itself, and what is blocked when it no longer is.
      .where('state', 'in', ['DONE', 'FAILED', 'SKIPPED'])
      .where(sql<boolean>`reason is distinct from 'FEATURE_OFF'`)
      .returning('media_item_id as id')
      .execute();
    const next = looked.length < limit ? null : looked.at(-1)!.id;
    await trx
      .insertInto('component_checks')
      .values({ component: name, version, checked_to: next })
      .onConflict((on) => on.column('component').doUpdateSet({ version, checked_to: next }))
      .execute();
    return redone.map(({ id }) => id);
  });
};
