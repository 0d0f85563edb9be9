import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { openDatabase } from '@hearth/core/db/database.ts';
import { migrate } from '@hearth/core/db/migrate.ts';
import type { Tables } from '@hearth/core/db/schema.ts';
import { createTestDatabase, findServer, type TestDatabase } from './postgres.ts';

/** A database with all tables and no rows, for one test file, with a connection pool. */
export interface MigratedDatabase extends TestDatabase {
  readonly db: Kysely<Tables>;
}

/** Copies the migrated template. The first call of a test run creates the template. `drop` also closes the pool. */
export const createMigratedDatabase = async ({ maxConnections = 10 } = {}): Promise<MigratedDatabase> => {
  const database = await createTestDatabase({ template: await (template ??= findTemplate()) });
  // Long timeouts, because a busy machine may delay statements and probes.
  const timeout = { statementTimeoutMs: 600_000, probeMs: 60_000 };
  const db = openDatabase({ url: database.url, maxConnections, ...timeout, onError: () => undefined });
  return {
    db,
    url: database.url,
    drop: async () => {
      await db.destroy();
      await database.drop();
    },
  };
};

let template: Promise<string> | undefined;

/**
 * Finds or creates the template. Its name is a hash of the migrations: other processes find it, and changed migrations
 * get another template.
 */
const findTemplate = async (): Promise<string> => {
  const name = `migrated_${await hashMigrations()}`;
  const client = new pg.Client({ connectionString: await findServer() });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      // Renamed when complete, because the test run may be killed at any time.
      const { url } = await createTestDatabase();
      await migrate(url);
      await client.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${name}`);
    }
  } finally {
    await client.end();
  }
  return name;
};

const hashMigrations = async (): Promise<string> => {
  const directory = join(import.meta.dirname, '../../../core/migrations');
  const hash = createHash('sha256');
  for (const file of (await readdir(directory)).toSorted())
    hash.update(file).update(await readFile(join(directory, file)));
  return hash.digest('hex').slice(0, 16);
};
