import type { Query } from '@hearth/testkit/run/actsLog.ts';

/** Tables that keep data about removed accounts on purpose: the removal itself, and an audit log for 90 days. */
export const allowedTables: ReadonlySet<string> = new Set(['removed_users', 'audit_log']);

/** Records every id that belongs to an account, in a separate schema. */
export const recordIdsOfAccount = async (query: Query, userId: string): Promise<void> => {
  await query('create schema drill');
  await query('create table drill.ids (id uuid primary key)');
  await query('insert into drill.ids values ($1)', [userId]);
  const owned = await query<{ name: string }>(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'uuid' and column_name in ('id', 'user_id')
    group by table_name having count(*) = 2`);
  for (const { name } of owned) {
    await query(`insert into drill.ids select id from "${name}" where user_id = $1 on conflict do nothing`, [userId]);
  }
  await query('analyze drill.ids');
};

/** Returns one line for each table and column, including new ones, with rows that still contain a recorded id. */
export const findRecordedIds = async (query: Query): Promise<string[]> => {
  const columns = await query<{ table: string; column: string }>(`
    select table_name as table, column_name as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'uuid'`);
  const found: string[] = [];
  for (const { table, column } of columns) {
    if (allowedTables.has(table)) continue;
    const [row] = await query<{ n: number }>(
      `select count(*)::int as n from "${table}" where "${column}" in (select id from drill.ids)`,
    );
    if (row!.n > 0) found.push(`${table}.${column}: ${row!.n} rows`);
  }
  return found;
};
