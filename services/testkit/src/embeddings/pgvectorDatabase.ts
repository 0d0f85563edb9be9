import { randomUUID } from 'node:crypto';
import { openDatabase } from '@hearth/core/db/database.ts';
import { migrate } from '@hearth/core/db/migrate.ts';
import { databaseOwner } from '../database/foreignPostgres.ts';
import type { MigratedDatabase } from '../database/migratedDatabase.ts';
import { queryOnce, startTestServer } from '../database/postgres.ts';
import { toolPath } from '../run/tools.ts';

let server: Promise<string> | undefined;

/**
 * Creates an empty migrated database on a separate PostgreSQL with pgvector. Its user is not a superuser. `isInstalled`:
 * the administrator has installed the extension.
 */
export const openPgvectorDatabase = async ({ isInstalled = true } = {}): Promise<MigratedDatabase> => {
  server ??= startTestServer({ programs: toolPath('postgres-pgvector') }).then(({ url }) => url);
  const administratorUrl = await server;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await queryOnce(administratorUrl, `create database ${name} owner ${databaseOwner}`);
  const url = new URL(administratorUrl);
  url.username = databaseOwner;
  url.pathname = `/${name}`;
  if (isInstalled) {
    const superuserUrl = new URL(administratorUrl);
    superuserUrl.pathname = url.pathname;
    await queryOnce(superuserUrl.href, 'create extension vector');
  }
  await migrate(url.href);
  const db = openDatabase({
    url: url.href,
    maxConnections: 10,
    statementTimeoutMs: 600_000,
    probeMs: 60_000,
    onError: () => undefined,
  });
  return {
    db,
    url: url.href,
    drop: async () => {
      await db.destroy();
      await queryOnce(administratorUrl, `drop database if exists ${name} with (force)`);
    },
  };
};
