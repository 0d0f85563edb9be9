import { readMigrations } from '@hearth/core/db/migrationFiles.ts';
import { queryOnce } from '../database/postgres.ts';

/*
 * [Note: Database of a release] Each release stores a fixture: a database with rows in every table. Tests upgrade it to
 * today's schema. Released migrations do not change, so a fixture stores only their names and checksums, and the rows.
 * Restoring runs these migrations and then inserts the rows.
 */

/** A database as it was at a release. */
export interface DatabaseFixture {
  /** SHA-256 of each migration that was applied. */
  readonly migrations: Readonly<Record<string, string>>;
  /** The rows of each table without generated columns, as the text of a JSON array: JavaScript would round large numbers. */
  readonly tables: Readonly<Record<string, string>>;
}

/** Returns the checksums of the migrations in a folder. */
export const readChecksums = async (directory: string): Promise<Record<string, string>> =>
  Object.fromEntries((await readMigrations(directory)).map(({ name, sha256 }) => [name, sha256]));

/** Returns the tables of the migrations, with the columns that can be inserted. */
export const listColumns = async (url: string): Promise<Map<string, string[]>> => {
  const rows = await queryOnce<{ table: string; columns: string[] }>(
    url,
    `select relname as table, array_agg(attname::text order by attnum) as columns
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%'
       and relname <> 'applied_migrations' and attnum > 0 and not attisdropped and attgenerated = ''
     group by relname order by relname`,
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
};
