import { join } from 'node:path';
import { configureProcess } from '@hearth/core/configureProcess.ts';
import { findAccount } from '@hearth/core/embedded/account.ts';
import { lockDataDirectory } from '@hearth/core/embedded/dataDirectoryLock.ts';
import { findPostgresBinaries } from '@hearth/core/embedded/postgresBinaries.ts';
import { isInitialized, setPostgresPassword } from '@hearth/core/embedded/postgresDirectory.ts';
import { stopPostmaster } from '@hearth/core/embedded/postmaster.ts';
import { findPostmaster, removeMisleadingPidFile } from '@hearth/core/embedded/postmasterPidFile.ts';
import { explainFailure } from '@hearth/core/explainFailure.ts';
import { embeddedVariables } from './config.ts';
import { findSecrets, makeSecrets, saveSecrets } from './secrets.ts';

/*
 * npm run secrets: makes a new secrets.json for a library that has lost its own, and never replaces an existing one. The embedded database gets a new
 * password without the old one: a user who may read its files can read all of its data anyway.
 */
const config = configureProcess('npm run secrets: makes a new secrets.json where it was lost.', embeddedVariables);
const { dataDirectory } = config;
const directory = join(dataDirectory, 'postgres');

try {
  const lock = lockDataDirectory(dataDirectory);
  try {
    if (findSecrets(dataDirectory) !== undefined)
      throw new Error(`${dataDirectory} has its secrets.json: nothing to do`);
    if (!(await isInitialized(directory))) throw new Error(`${directory} holds no database: npm start makes one`);
    const secrets = makeSecrets();
    const leftBehind = await findPostmaster(directory);
    if (leftBehind !== undefined) await stopPostmaster(leftBehind);
    await removeMisleadingPidFile(directory);
    const [binaries, account] = [await findPostgresBinaries(), findAccount(directory)];
    await setPostgresPassword({ directory, password: secrets.databasePassword, binaries, account });
    await saveSecrets(dataDirectory, secrets);
    process.stdout.write(
      `A new secrets.json is in ${dataDirectory}. Everybody has to sign in again, and links of files have ended.\n` +
        `The password of ${config.adminUsername}, the administrator, is now ${secrets.adminPassword}\n`,
    );
  } finally {
    lock.release();
  }
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exitCode = 1;
}
