import { queryOnce } from '../database/postgres.ts';

/** Returns the schema of the database as SQL, sorted by name, so that databases with equal schemas have equal text. */
export const dumpSchema = async (url: string): Promise<string> => {
  const parts = ['-- Generated from the migrations by npm run docs:schema. Sorted by name, so it cannot be executed.'];
  for (const query of [routines, tables, indexes, triggers]) {
    const rows = await queryOnce<{ definition: string }>(url, query);
    parts.push(...rows.map(({ definition }) => definition.replaceAll(/[ \t]+$/gm, '')));
  }
  return `${parts.join('\n\n')}\n`;
};

/** Functions and aggregates, except those of extensions. */
const routines = `
  select case prokind
    when 'a' then format(E'create aggregate %s (\\n  sfunc = %s,\\n  stype = %s,\\n  initcond = %L\\n);',
      pg_proc.oid::regprocedure, aggtransfn, aggtranstype::regtype, agginitval)
    else pg_get_functiondef(pg_proc.oid) || ';'
    end as definition
  from pg_proc left join pg_aggregate on aggfnoid = pg_proc.oid
  where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
  order by pg_proc.oid::regprocedure::text collate "C"`;

/** SQL condition: the table belongs to the migrations, not to Kysely. */
const isOwnTable = `relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%'`;

const tables = `
  select format(E'%screate table %I (\\n%s\\n)%s;',
    E'-- ' || replace(obj_description(pg_class.oid, 'pg_class'), E'\\n', E'\\n-- ') || E'\\n',
    relname, lines, ' with (' || array_to_string(reloptions, ', ') || ')') as definition
  from pg_class cross join lateral (
    select string_agg(line, E'\\n' order by nth) as lines from (
      select attnum::int as nth, concat('  ', quote_ident(attname), ' ', format_type(atttypid, atttypmod),
        ' collate ' || nullif(attcollation, typcollation)::regcollation,
        case when attnotnull then ' not null' end,
        case
          when attidentity = 'a' then ' generated always as identity'
          when attgenerated = 's' then ' generated always as (' || pg_get_expr(adbin, adrelid) || ') stored'
          else ' default ' || pg_get_expr(adbin, adrelid)
        end, ',',
        ' -- ' || replace(col_description(attrelid, attnum), E'\\n', ' ')) as line
      from pg_attribute
      join pg_type on pg_type.oid = atttypid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped
      union all
      select 1000 + row_number() over (order by conname),
        concat('  constraint ', quote_ident(conname), ' ', pg_get_constraintdef(oid),
          case when lead(oid) over (order by conname) is not null then ',' end)
      from pg_constraint where conrelid = pg_class.oid and contype <> 'n'
    ) as every
  ) as body
  where ${isOwnTable} order by relname`;

/** Indexes, except those of constraints. */
const indexes = `
  select pg_get_indexdef(indexrelid) || ';' as definition
  from pg_index join pg_class on pg_class.oid = indrelid
  where ${isOwnTable} and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
  order by relname, indexrelid::regclass::text`;

const triggers = `
  select pg_get_triggerdef(pg_trigger.oid) || ';' as definition
  from pg_trigger join pg_class on pg_class.oid = tgrelid
  where ${isOwnTable} and not tgisinternal order by relname, tgname`;
