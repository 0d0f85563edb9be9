import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { MigrationFile } from './migrationFiles.ts';

/** A migration that the database has. `sha256` and `version` are null if it was applied before they were recorded. */
export interface AppliedMigration {
  readonly name: string;
  readonly sha256: string | null;
  /** The version of Hearth that applied it, see `readHearthVersion`. */
  readonly version: string | null;
}

/**
 * Extends the names that Kysely keeps in its own table. It is not a migration, because it must exist before the first
 * one.
 */
const recordTable = `
  create table if not exists applied_migrations (
    name       text primary key,
    sha256     text not null,
    version    text not null,
    applied_at timestamptz not null default now()
  );
  comment on table applied_migrations is
    'Machine: the migrations that made this schema. Every start compares their checksums with those of the code.';
  comment on column applied_migrations.name is 'The file of the migration, without .sql.';
  comment on column applied_migrations.sha256 is 'The SHA-256 of the file, in hex, with Unix line endings.';
  comment on column applied_migrations.version is 'The version of Hearth that applied it, with its commit.';
  comment on column applied_migrations.applied_at is 'When it was applied.';`;

/** Records a migration in the transaction that applies it. Requires the migration lock. */
export const recordMigration = async (
  trx: Database,
  { name, sha256 }: MigrationFile,
  version: string,
): Promise<void> => {
  if (!(await hasTable(trx, 'applied_migrations'))) await sql.raw(recordTable).execute(trx);
  await trx.insertInto('applied_migrations').values({ name, sha256, version }).execute();
};

/** Returns the applied migrations by name; none for an empty database. */
export const listAppliedMigrations = async (db: Database): Promise<AppliedMigration[]> => {
  if (!(await hasTable(db, 'kysely_migration'))) return [];
  const { rows: names } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  if (names.length === 0) return [];
  // Read after the names: a migration that commits between the two statements must not look unrecorded.
  const records = (await hasTable(db, 'applied_migrations'))
    ? await db.selectFrom('applied_migrations').select(['name', 'sha256', 'version']).execute()
    : [];
  const recorded = new Map(records.map((record) => [record.name, record]));
  return names.map(({ name }) => recorded.get(name) ?? { name, sha256: null, version: null });
};

const hasTable = async (db: Database, table: string): Promise<boolean> => {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${table}) is not null as exists`.execute(db);
  return rows[0]!.exists;
};
