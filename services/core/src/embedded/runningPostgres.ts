import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applicationUrl } from './postgresUrls.ts';

/**
 * Where the embedded PostgreSQL that another process runs on `directory` can be reached, by the note that the server keeps
 * there (its fourth line is the port); undefined where there is none.
 */
export const findRunningPostgres = async (directory: string, password: string): Promise<string | undefined> => {
  const note = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const port = Number(note.split('\n')[3]);
  if (!Number.isInteger(port) || port < 1) return undefined;
  return applicationUrl(port, password);
};
