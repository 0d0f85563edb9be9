import { sql, type RawBuilder } from 'kysely';
import { components as builtComponents, componentsIn, type Pipeline, type PoolName } from '../../pipeline.ts';

/** The kinds of runs that belong to a pool, in SQL: a table with the columns `component` and `type`. */
export const kindsIn = (pool: PoolName, pipeline: Pipeline = builtComponents): RawBuilder<unknown> => {
  const kinds = componentsIn(pool, pipeline).flatMap(({ name, pools }) =>
    Object.entries(pools).flatMap(([type, { name: own }]) => (own === pool ? [[name, type] as const] : [])),
  );
  return sql`unnest(${kinds.map(([name]) => name)}::text[], ${kinds.map(([, type]) => type)}::text[]) as kinds (component, type)`;
};
