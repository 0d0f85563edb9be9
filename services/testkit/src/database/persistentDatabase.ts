import { migrate } from '@hearth/core/db/migrate.ts';
import { databaseOwner } from './foreignPostgres.ts';
import { queryOnce, startTestServer } from './postgres.ts';

const name = 'kept';

/** A migrated database on a separate server that keeps its files. */
export interface PersistentDatabase {
  readonly url: string;
  /** Stops the server. Resolves when it has ended. */
  drop(): Promise<void>;
}

/** Opens or creates the database in a folder, with pgvector if the server in the folder `programs` has it. */
export const openPersistentDatabase = async (folder: string, programs: string): Promise<PersistentDatabase> => {
  const server = await startTestServer({ programs, kept: folder });
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const databases = await queryOnce(server.url, 'select from pg_database where datname = $1', [name]);
  if (databases.length === 0) {
    await queryOnce(server.url, `create database ${name} owner ${databaseOwner}`);
    const vector = await queryOnce(server.url, `select from pg_available_extensions where name = 'vector'`);
    if (vector.length > 0) await queryOnce(url.href, 'create extension vector');
  }
  url.username = databaseOwner;
  await migrate(url.href);
  return { url: url.href, drop: server.stop };
};
