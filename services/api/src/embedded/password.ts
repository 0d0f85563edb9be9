import { join } from 'node:path';
import { configureProcess } from '@hearth/core/configureProcess.ts';
import { openDatabase } from '@hearth/core/db/database.ts';
import { findUserByUsername, updateUser } from '@hearth/core/db/users.ts';
import { DataDirectoryInUseError, lockDataDirectory } from '@hearth/core/embedded/dataDirectoryLock.ts';
import { startEmbeddedPostgres } from '@hearth/core/embedded/postgres.ts';
import { findRunningPostgres } from '@hearth/core/embedded/runningPostgres.ts';
import { hashPassword } from '../passwords.ts';
import { embeddedVariables } from './config.ts';
import { findSecrets, randomPassword } from './secrets.ts';

/*
 * npm run password -- USERNAME: gives a user of embedded mode a new password and shows it, whether Hearth is running or not.
 * It ends the user's sessions.
 */
const config = configureProcess('npm run password -- USERNAME: sets and shows a new password.', embeddedVariables);
const username = process.argv[2];
if (username === undefined) fail('Say whose password to set: npm run password -- family');

const password = randomPassword();
const isSet = await withDatabase(async (url) => {
  const db = openDatabase({ url, maxConnections: 1, onError: () => undefined });
  try {
    const user = await findUserByUsername(db, username);
    if (user === undefined) return false;
    await updateUser(db, user.id, { passwordHash: await hashPassword(password) });
    return true;
  } finally {
    await db.destroy();
  }
});
if (!isSet) fail(`There is no user "${username}".`);
process.stdout.write(`The password of ${username} is now ${password}\n`);

/** Runs `work` on the database that is configured or running, else on one started for the moment. */
async function withDatabase<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  if (config.databaseUrl !== undefined) return work(config.databaseUrl);
  const secrets = findSecrets(config.dataDirectory);
  if (secrets === undefined) fail(`There is no library in ${config.dataDirectory} yet: npm start makes one.`);
  const directory = join(config.dataDirectory, 'postgres');
  try {
    const lock = lockDataDirectory(config.dataDirectory);
    const database = await startEmbeddedPostgres({ directory, password: secrets.databasePassword });
    try {
      return await work(database.url());
    } finally {
      await database.stop();
      lock.release();
    }
  } catch (error) {
    if (!(error instanceof DataDirectoryInUseError)) throw error;
    const url = await findRunningPostgres(directory, secrets.databasePassword);
    if (url === undefined) fail('Hearth is just starting or stopping: try again in a moment.');
    return work(url);
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
