import { migrationsDirectory } from '@hearth/core/db/migrate.ts';
import { queryOnce } from '../database/postgres.ts';
import { listColumns, readChecksums, type DatabaseFixture } from './fixture.ts';

/** Reads every row of a database that has the migrations of the code. */
export const dumpFixture = async (url: string): Promise<DatabaseFixture> => {
  const tables: Record<string, string> = {};
  for (const [table, columns] of await listColumns(url)) {
    const names = columns.map((name) => `"${name}"`).join(', ');
    const [row] = await queryOnce<{ rows: string }>(
      url,
      `select coalesce(jsonb_agg(row order by row::text), '[]')::text as rows
       from (select to_jsonb(t) as row from (select ${names} from "${table}") as t) as every`,
    );
    tables[table] = row!.rows;
  }
  return { migrations: await readChecksums(migrationsDirectory), tables };
};
