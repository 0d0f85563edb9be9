import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';

/** Returns every row, of any table, that contains one of `words`, such as a user's id. New tables are included automatically. */
export const dumpRowsWith = async (db: Database, words: readonly string[]): Promise<string[]> => {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const pattern = words.join('|');
  const dumps = tables.rows.map(
    ({ name }) => sql`select ${name} || ' ' || to_jsonb(t)::text as row from ${sql.table(name)} as t`,
  );
  const { rows } = await sql<{ row: string }>`
    select row from (${sql.join(dumps, sql` union all `)}) as all_rows where row ~ ${pattern} order by row`.execute(db);
  return rows.map(({ row }) => row);
};
