import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { administratorUrl } from '@hearth/api/embedded/postgres/postgresUrls.ts';
import { queryAgain } from '../database/postgres.ts';
import type { Query } from '../run/actsLog.ts';
import { dataDirectoryOf } from './dataFolder.ts';

/** The process of the embedded database that runs on a drill's data, by its own note; undefined where there is none. */
export const findPostmasterPid = async (directory: string): Promise<number | undefined> =>
  Number((await readNote(directory))[0]) || undefined;

/** Where the embedded database is, for its superuser. @throws where it is away */
export const databaseUrlOf = async (directory: string): Promise<string> => {
  const secrets = JSON.parse(await readFile(join(dataDirectoryOf(directory), 'secrets.json'), 'utf8'));
  const port = (await readNote(directory))[3];
  if (!port) throw new Error('the database is not running');
  return administratorUrl(Number(port), secrets.databasePassword);
};

/** Asks the embedded database wherever it is at that moment. */
export const queryEmbedded = (directory: string): Query => queryAgain(() => databaseUrlOf(directory));

/** The lines of `postmaster.pid`: process, directory, start time, port … */
const readNote = async (directory: string): Promise<string[]> =>
  (await readFile(join(dataDirectoryOf(directory), 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
