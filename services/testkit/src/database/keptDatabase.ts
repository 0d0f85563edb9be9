import { migrate } from '@hearth/core/db/migrate.ts';
import { databaseOwner } from './foreignPostgres.ts';
import { queryOnce, startTestServer } from './postgres.ts';

const name = 'kept';

/** A migrated database on a server of its own whose files stay. */
export interface KeptDatabase {
  readonly url: string;
  /** Ends the server and resolves when it is gone. */
  drop(): Promise<void>;
}

/** Opens the database in a folder, or makes it there, with pgvector where the server of the folder `programs` has it. */
export const openKeptDatabase = async (folder: string, programs: string): Promise<KeptDatabase> => {
  const server = await startTestServer({ programs, kept: folder });
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const known = await queryOnce(server.url, 'select from pg_database where datname = $1', [name]);
  if (known.length === 0) {
    await queryOnce(server.url, `create database ${name} owner ${databaseOwner}`);
    const vector = await queryOnce(server.url, `select from pg_available_extensions where name = 'vector'`);
    if (vector.length > 0) await queryOnce(url.href, 'create extension vector');
  }
  url.username = databaseOwner;
  await migrate(url.href);
  return { url: url.href, drop: server.stop };
};
