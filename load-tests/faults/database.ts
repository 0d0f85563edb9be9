import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { queryOnce } from '@hearth/core/testing/postgres.ts';
import { dataDirectoryOf } from './hearth.ts';

/** The process of the database that runs on a drill's data, by its own note; undefined where there is none. */
export const findPostmasterPid = async (directory: string): Promise<number | undefined> =>
  Number((await readNote(directory))[0]) || undefined;

/** Runs one statement in the embedded database, past Hearth. @throws where the database is away */
export const query = async <Row extends object>(
  directory: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => {
  const secrets = JSON.parse(await readFile(join(dataDirectoryOf(directory), 'secrets.json'), 'utf8'));
  const port = (await readNote(directory))[3];
  if (!port) throw new Error('the database is not running');
  return queryOnce(`postgres://hearth:${secrets.databasePassword}@127.0.0.1:${port}/hearth`, statement, values);
};

/** Empties everything that the queue keeps, as a Redis that lost its memory would; its tables stay. */
export const emptyQueue = async (directory: string): Promise<void> => {
  const tables = await query<{ name: string }>(
    directory,
    `select format('bullmq.%I', tablename) as name from pg_tables where schemaname = 'bullmq' and tablename <> 'migration'`,
  );
  await query(directory, `truncate ${tables.map(({ name }) => name).join(', ')}`);
};

/** The lines of `postmaster.pid`: process, directory, start time, port … */
const readNote = async (directory: string): Promise<string[]> =>
  (await readFile(join(dataDirectoryOf(directory), 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
