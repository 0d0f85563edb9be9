import { sql, type RawBuilder } from 'kysely';
import { components as builtComponents, componentsIn, type Pipeline, type PoolName } from '../../pipeline.ts';

/** Whether a run belongs to a pool, by its component and the type of its item, in SQL. */
export const belongsTo = (
  pool: PoolName,
  run: string,
  item: string,
  pipeline: Pipeline = builtComponents,
): RawBuilder<boolean> => {
  const pairs = componentsIn(pool, pipeline).flatMap(({ name, pools }) =>
    Object.entries(pools).flatMap(([type, { name: own }]) => (own === pool ? [[name, type] as const] : [])),
  );
  return sql<boolean>`(${sql.ref(`${run}.component`)}, ${sql.ref(`${item}.type`)}) in (
    select * from unnest(${pairs.map(([name]) => name)}::text[], ${pairs.map(([, type]) => type)}::text[]))`;
};
