import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import { Migrator, type Migration, type MigrationProvider, type MigrationResult } from 'kysely/migration';
import { retryUndone } from './retryUndone.ts';
import { openDatabase, type Database } from './database.ts';

/** The numbered SQL files, forward only. */
const migrationsDirectory = join(import.meta.dirname, '..', '..', '..', 'migrations');

export class SchemaTooNewError extends Error {
  constructor(migrations: readonly string[]) {
    super(
      `the database has been changed by a newer version of Hearth (${migrations.join(', ')}), with which this version cannot work: ` +
        'start that version or a later one, or restore a backup of before the update',
    );
    this.name = 'SchemaTooNewError';
  }
}

/** The database has been set up by other migrations than those that this code knows, so that it can neither update it nor work on it. */
export class SchemaUnknownError extends Error {
  constructor(migrations: readonly string[]) {
    const more = migrations.length > 3 ? ` and ${migrations.length - 3} more` : '';
    super(
      `the database has been set up by another line of versions of Hearth, or one of before the first release (${migrations.slice(0, 3).join(', ')}${more}), ` +
        'which this version can neither update nor work on; nothing has been changed: ' +
        'start the version that it was set up by, or give this one an empty database',
    );
    this.name = 'SchemaUnknownError';
  }
}

/**
 * Applies what is missing of the numbered migrations, each once, also when several processes start at the same time.
 *
 * [Note: Breaking migrations] A migration after which older code no longer works is named `NNNN_what.breaking.sql`. Older code
 * that finds a name it does not know goes on, unless it is such a name: so replicas of two versions can run side by side
 * during an update.
 * @returns the names of the migrations applied now
 * @throws SchemaTooNewError, SchemaUnknownError
 */
export const migrate = async (url: string, directory = migrationsDirectory): Promise<string[]> => {
  const db = openDatabase({
    url,
    maxConnections: 2,
    onError: () => undefined,
    statementTimeoutMs: 0,
    isWatched: false,
  });
  try {
    const provider = sqlFiles(directory);
    const known = await provider.getMigrations();
    if (await isAhead(db, known)) return [];
    // The order is that of the names; the times of execution come from the clocks of several machines and do not matter.
    const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
    try {
      // All in one transaction. Whoever works on the database meanwhile may lock the same tables in another order.
      const results = await retryUndone(async () => applyAll(migrator));
      return results.map(({ migrationName }) => migrationName);
    } catch (error) {
      // A newer version may have been ahead in the queue for the lock.
      if (await isAhead(db, known)) return [];
      throw error;
    }
  } finally {
    await db.destroy();
  }
};

/**
 * The migrations of this version that the database lacks: none where it, or a newer version beside which it can run, has brought the database up to date.
 * @throws SchemaTooNewError, SchemaUnknownError
 */
export const findMissingMigrations = async (db: Database, directory = migrationsDirectory): Promise<string[]> => {
  const known = await sqlFiles(directory).getMigrations();
  await isAhead(db, known);
  const executed = new Set(await executedMigrations(db));
  return Object.keys(known).filter((name) => !executed.has(name));
};

const applyAll = async (migrator: Migrator): Promise<readonly MigrationResult[]> => {
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error === undefined) return results;
  const failed = results.find(({ status }) => status === 'Error');
  throw failed === undefined ? error : new Error(`the migration ${failed.migrationName} failed`, { cause: error });
};

const sqlFiles = (directory: string): MigrationProvider => ({
  getMigrations: async () => {
    const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted();
    const upOf = (file: string) => async (db: Database) =>
      void (await sql.raw(await readFile(join(directory, file), 'utf8')).execute(db));
    return Object.fromEntries(files.map((file) => [basename(file, '.sql'), { up: upOf(file) }]));
  },
});

/** Whether a newer version has migrated the database and this one can work on it. @throws SchemaTooNewError, SchemaUnknownError where it cannot. */
const isAhead = async (db: Database, known: Readonly<Record<string, Migration>>): Promise<boolean> => {
  const executed = await executedMigrations(db);
  const unknown = executed.filter((name) => !(name in known));
  const breaking = unknown.filter((name) => name.endsWith('.breaking'));
  if (breaking.length > 0) throw new SchemaTooNewError(breaking);
  // A newer version has made all that this one would.
  if (unknown.length > 0 && Object.keys(known).some((name) => !executed.includes(name)))
    throw new SchemaUnknownError(unknown);
  return unknown.length > 0;
};

const executedMigrations = async (db: Database): Promise<string[]> => {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(
    db,
  );
  if (!rows[0]?.exists) return [];
  const executed = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return executed.rows.map(({ name }) => name);
};
