import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { administratorUrl } from '@hearth/api/embedded/postgres/postgresUrls.ts';
import { makeReconnectingQuery } from '../database/postgres.ts';
import type { Query } from '../run/actsLog.ts';
import { getDataDirectory } from './dataFolder.ts';

/** Returns the pid of the embedded database in a drill's folder, from `postmaster.pid`; undefined if there is none. */
export const findPostmasterPid = async (directory: string): Promise<number | undefined> =>
  Number((await readPostmasterFile(directory))[0]) || undefined;

/**
 * Returns the superuser's URL of the embedded database.
 * @throws Error if it is not running
 */
export const readDatabaseUrl = async (directory: string): Promise<string> => {
  const secrets = JSON.parse(await readFile(join(getDataDirectory(directory), 'secrets.json'), 'utf8'));
  const port = (await readPostmasterFile(directory))[3];
  if (!port) throw new Error('the database is not running');
  return administratorUrl(Number(port), secrets.databasePassword);
};

/** Queries the embedded database at its current port. */
export const queryEmbedded = (directory: string): Query => makeReconnectingQuery(() => readDatabaseUrl(directory));

/** Returns the lines of `postmaster.pid`: pid, directory, start time, port … */
const readPostmasterFile = async (directory: string): Promise<string[]> =>
  (await readFile(join(getDataDirectory(directory), 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
