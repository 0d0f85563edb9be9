import type { Query } from '@hearth/testkit/run/actsLog.ts';

/** Tables that tell of removed accounts on purpose: that they were removed, and for 90 days what was done by and to them. */
export const tombstones: ReadonlySet<string> = new Set(['removed_users', 'audit_log']);

/** Has the database note, past Hearth's own tables, every id that something of an account has now. */
export const noteIdsOfAccount = async (query: Query, userId: string): Promise<void> => {
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

/** For each table and column, a new one too, how many rows still name something that was noted: a line for each that has any. */
export const findNotedIds = async (query: Query): Promise<string[]> => {
  const columns = await query<{ table: string; column: string }>(`
    select table_name as table, column_name as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'uuid'`);
  const found: string[] = [];
  for (const { table, column } of columns) {
    if (tombstones.has(table)) continue;
    const [row] = await query<{ n: number }>(
      `select count(*)::int as n from "${table}" where "${column}" in (select id from drill.ids)`,
    );
    if (row!.n > 0) found.push(`${table}.${column}: ${row!.n} rows`);
  }
  return found;
};
