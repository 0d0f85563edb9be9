import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applicationUrl } from './postgresUrls.ts';

/**
 * The address of the embedded PostgreSQL that another process runs on `directory`, read from the server's pid file (the port is on its
 * fourth line); undefined where none runs.
 */
export const findRunningPostgres = async (directory: string, password: string): Promise<string | undefined> => {
  const note = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const port = Number(note.split('\n')[3]);
  if (!Number.isInteger(port) || port < 1) return undefined;
  return applicationUrl(port, password);
};
