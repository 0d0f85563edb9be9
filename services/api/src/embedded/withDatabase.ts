import { join } from 'node:path';
import { DataDirectoryInUseError, lockDataDirectory } from '@hearth/core/disk/dataDirectoryLock.ts';
import { startEmbeddedPostgres } from './postgres/postgres.ts';
import { explainWrongSecrets, findSecrets, rejectLostSecrets } from './secrets.ts';
import { readFile } from 'node:fs/promises';
import { applicationUrl } from './postgres/postgresUrls.ts';

/**
 * Runs `work` on the configured or running database, or starts the embedded one temporarily.
 * @throws Error with advice if no library exists, or Hearth is just starting or stopping
 */
export const withDatabase = async <Result>(
  { databaseUrl, dataDirectory }: { readonly databaseUrl: string | undefined; readonly dataDirectory: string },
  work: (url: string) => Promise<Result>,
): Promise<Result> => {
  if (databaseUrl !== undefined) return work(databaseUrl);
  rejectLostSecrets(dataDirectory);
  const secrets = findSecrets(dataDirectory);
  if (secrets === undefined) throw new Error(`No library in ${dataDirectory} yet; npm start creates one.`);
  return explainWrongSecrets(dataDirectory, () => withEmbedded(dataDirectory, secrets.databasePassword, work));
};

const withEmbedded = async <Result>(
  dataDirectory: string,
  password: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> => {
  const directory = join(dataDirectory, 'postgres');
  let lock: ReturnType<typeof lockDataDirectory>;
  try {
    lock = lockDataDirectory(dataDirectory);
  } catch (error) {
    if (!(error instanceof DataDirectoryInUseError)) throw error;
    const url = await findRunningPostgres(directory, password);
    if (url === undefined) {
      throw new Error('Hearth is starting or stopping; try again in a moment.', { cause: error });
    }
    return work(url);
  }
  try {
    const database = await startEmbeddedPostgres({ directory, password });
    try {
      return await work(database.url());
    } finally {
      await database.stop();
    }
  } finally {
    lock.release();
  }
};

/**
 * Returns the URL of the embedded PostgreSQL that another process runs on `directory`, or undefined if none runs. The
 * port is on the fourth line of the pid file.
 */
const findRunningPostgres = async (directory: string, password: string): Promise<string | undefined> => {
  const pidFile = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const port = Number(pidFile.split('\n')[3]);
  if (!Number.isInteger(port) || port < 1) return undefined;
  return applicationUrl(port, password);
};
