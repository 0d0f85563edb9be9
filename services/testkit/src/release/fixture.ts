import { readMigrations } from '@hearth/core/db/migrationFiles.ts';
import { queryOnce } from '../database/postgres.ts';

/*
 * [Note: Database of a release] Each release leaves a fixture: a database with rows in every table. Tests upgrade it to today's schema. Released
 * migrations do not change, so a fixture stores only their names and the rows. The migrations make the tables, then the rows are inserted.
 */

/** A database as it was at a release. */
export interface DatabaseFixture {
  /** The migrations that it has, with their SHA-256. */
  readonly migrations: Readonly<Record<string, string>>;
  /** The rows of each table without generated columns, as the text of a JSON array: JavaScript would round large numbers. */
  readonly tables: Readonly<Record<string, string>>;
}

/** The checksums of the migrations in the code. */
export const readChecksums = async (directory: string): Promise<Record<string, string>> =>
  Object.fromEntries((await readMigrations(directory)).map(({ name, sha256 }) => [name, sha256]));

/** The tables of the migrations with the columns that take values. */
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
