import pg from 'pg';

/** The role that Hearth works as on the embedded server: it owns the database and everything in it, and is no superuser. */
export const applicationRole = 'hearth_application';

/**
 * Gives the database that `administratorUrl` names, with everything in it, to the application role, which is made where it is missing.
 * PostgreSQL never takes its rights from the superuser whom a server was made with, and `reassign owned` refuses that one; so
 * everything is handed over one by one, all or nothing. Where nothing is left to hand over only the role is set right.
 */
export const prepareApplicationRole = async (administratorUrl: string, password: string): Promise<void> => {
  const client = new pg.Client({ connectionString: administratorUrl, connectionTimeoutMillis: 10_000 });
  // A connection that breaks fails its query too; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`begin; set local search_path to ''`);
    const exists = await client.query('select from pg_roles where rolname = $1', [applicationRole]);
    await client.query(
      `${exists.rowCount === 0 ? 'create' : 'alter'} role ${applicationRole} with ${attributes}
       password ${client.escapeLiteral(password)}`,
    );
    const { rows } = await client.query<{ handover: string }>(findHandovers, [applicationRole]);
    for (const { handover } of rows) await client.query(handover);
    await client.query('commit');
  } finally {
    await client.end();
  }
};

const attributes = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

/**
 * One statement for each thing that is not the application role's yet. What belongs to an extension stays with it; indexes, sequences of
 * columns and types of rows follow their tables.
 */
const findHandovers = `
  with schemas as (
    select oid, nspname, nspowner from pg_catalog.pg_namespace
    where nspname !~ '^pg_' and nspname <> 'information_schema'
  ),
  members as (select classid, objid from pg_catalog.pg_depend where deptype = 'e'),
  things as (
    select 0 as step, 'database' as kind, pg_catalog.quote_ident(datname) as name, datdba as owner
    from pg_catalog.pg_database where datname = pg_catalog.current_database()
    union all
    select 1, 'schema', pg_catalog.quote_ident(nspname), nspowner
    from schemas where nspowner <> 'pg_database_owner'::regrole
      and ('pg_namespace'::regclass, oid) not in (select classid, objid from members)
    union all
    select 2, case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
      oid::regclass::text, relowner
    from pg_catalog.pg_class
    where relkind in ('r', 'p', 'v', 'm', 'S') and relnamespace in (select oid from schemas)
      and ('pg_class'::regclass, oid) not in (select classid, objid from members)
      and not (relkind = 'S' and exists (
        select from pg_catalog.pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i')
          and refclassid = 'pg_class'::regclass
      ))
    union all
    select 3, 'routine', oid::regprocedure::text, proowner
    from pg_catalog.pg_proc
    where pronamespace in (select oid from schemas)
      and ('pg_proc'::regclass, oid) not in (select classid, objid from members)
    union all
    select 4, 'type', pg_type.oid::regtype::text, typowner
    from pg_catalog.pg_type left join pg_catalog.pg_class on pg_class.oid = typrelid
    where typnamespace in (select oid from schemas)
      and (typtype in ('e', 'd', 'r') or typtype = 'c' and relkind = 'c')
      and ('pg_type'::regclass, pg_type.oid) not in (select classid, objid from members)
  )
  select pg_catalog.format('alter %s %s owner to %I', kind, name, $1::text) as handover
  from things where owner <> (select oid from pg_catalog.pg_roles where rolname = $1)
  order by step, name`;
