import { join } from 'node:path';
import { sql } from 'kysely';
import { Migrator, type MigrationProvider, type MigrationResult } from 'kysely/migration';
import { listAppliedMigrations, recordMigration } from './appliedMigrations.ts';
import { openDatabase, type Database } from './database.ts';
import { readHearthVersion } from '../process/checkoutCommit.ts';
import { readMigrations, type MigrationFile } from './migrationFiles.ts';
import { retryRolledBack } from './retryRolledBack.ts';
import {
  changedMigrationsError,
  missingMigrationsError,
  SchemaTooNewError,
  unknownMigrationsError,
  unrecordedMigrationsError,
} from './schemaErrors.ts';

/** The numbered SQL files, forward only. */
export const migrationsDirectory = join(import.meta.dirname, '../../migrations');

/**
 * Applies the missing migrations, each once, even when several processes start at the same time.
 *
 * [Note: Breaking migrations] A migration that older code cannot work with is named `NNNN_what.breaking.sql`. Older
 * code ignores other unknown migrations, so replicas of two versions can run side by side during an update. A migration
 * that the code knows must have the same content, see `recordMigration`.
 * @param commit the commit to record; by default the checked-out one
 * @returns the names of the migrations applied now
 * @throws SchemaTooNewError, SchemaUnknownError
 */
export const migrate = async (url: string, directory = migrationsDirectory, commit?: string): Promise<string[]> => {
  const db = openDatabase({
    url,
    maxConnections: 2,
    onError: () => undefined,
    statementTimeoutMs: 0,
    isWatched: false,
  });
  try {
    const known = await readMigrations(directory);
    if ((await compareSchema(db, known)).isAhead) return [];
    // Migrations are ordered by name. Their execution times come from the clocks of several machines and do not matter.
    const migrator = new Migrator({
      db,
      provider: provide(known, readHearthVersion(commit)),
      allowUnorderedMigrations: true,
    });
    try {
      // One transaction for all. Retried, because other processes may lock the same tables in another order.
      const results = await retryRolledBack(async () => applyAll(migrator));
      // Another version may have got the lock first and left nothing to apply.
      await compareSchema(db, known);
      return results.map(({ migrationName }) => migrationName);
    } catch (error) {
      // A newer version may have got the lock first.
      if ((await compareSchema(db, known)).isAhead) return [];
      throw error;
    }
  } finally {
    await db.destroy();
  }
};

/**
 * Returns the migrations that the database lacks. None if this version, or a compatible newer one, has migrated it.
 * @throws SchemaTooNewError, SchemaUnknownError
 */
export const findMissingMigrations = async (db: Database, directory = migrationsDirectory): Promise<string[]> => {
  return (await compareSchema(db, await readMigrations(directory))).missing;
};

/**
 * Checks that the database is up to date, for commands that do not migrate.
 * @throws SchemaTooNewError, SchemaUnknownError, and Error if migrations are missing
 */
export const requireCurrentSchema = async (db: Database): Promise<void> => {
  const missing = await findMissingMigrations(db);
  if (missing.length > 0) throw missingMigrationsError(missing);
};

const applyAll = async (migrator: Migrator): Promise<readonly MigrationResult[]> => {
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error === undefined) return results;
  const failed = results.find(({ status }) => status === 'Error');
  throw failed === undefined ? error : new Error(`migration ${failed.migrationName} failed`, { cause: error });
};

const provide = (known: readonly MigrationFile[], version: string): MigrationProvider => ({
  getMigrations: async () => Object.fromEntries(known.map((file) => [file.name, { up: apply(file, version) }])),
});

const apply = (file: MigrationFile, version: string) => async (trx: Database) => {
  await sql.raw(file.statements).execute(trx);
  await recordMigration(trx, file, version);
};

interface SchemaState {
  /** A newer, compatible version has migrated the database. */
  readonly isAhead: boolean;
  readonly missing: string[];
}

/** Compares the migrations of the database with those of the code. @throws SchemaTooNewError, SchemaUnknownError */
const compareSchema = async (db: Database, known: readonly MigrationFile[]): Promise<SchemaState> => {
  const applied = await listAppliedMigrations(db);
  const checksums = new Map(known.map(({ name, sha256 }) => [name, sha256]));
  const unknown = applied.map(({ name }) => name).filter((name) => !checksums.has(name));
  const breaking = unknown.filter((name) => name.endsWith('.breaking'));
  if (breaking.length > 0) throw new SchemaTooNewError(breaking);
  const names = new Set(applied.map(({ name }) => name));
  const missing = known.map(({ name }) => name).filter((name) => !names.has(name));
  // A newer version of the same line has applied all migrations of this one.
  if (unknown.length > 0 && missing.length > 0) throw unknownMigrationsError(unknown);
  const shared = applied.filter(({ name }) => checksums.has(name));
  const unrecorded = shared.filter(({ sha256 }) => sha256 === null);
  if (unrecorded.length > 0) throw unrecordedMigrationsError(unrecorded.map(({ name }) => name));
  const changed = shared.filter(({ name, sha256 }) => sha256 !== checksums.get(name));
  if (changed.length > 0) throw changedMigrationsError(changed);
  return { isAhead: unknown.length > 0, missing };
};
