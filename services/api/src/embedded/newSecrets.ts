import { join } from 'node:path';
import { configureProcess } from '@hearth/core/config/configureProcess.ts';
import { findAccount } from './postgres/account.ts';
import { lockDataDirectory } from '@hearth/core/disk/dataDirectoryLock.ts';
import { startEmbeddedPostgres } from './postgres/postgres.ts';
import { findPostgresBinaries } from './postgres/postgresBinaries.ts';
import { isInitialized, setPostgresPassword } from './postgres/postgresDirectory.ts';
import { stopPostmaster } from './postgres/postmaster.ts';
import { findPostmaster, removeMisleadingPidFile } from './postgres/postmasterPidFile.ts';
import { explainFailure } from '@hearth/core/log/explainFailure.ts';
import { embeddedVariables } from './config.ts';
import { findSecrets, isPasswordRejected, createSecrets, moveSecretsAside, saveSecrets } from './secrets.ts';

/*
 * npm run secrets: creates a new secrets.json for a library that has lost its own. If the embedded database rejects the
 * password in an existing file, renames that file and replaces it. Sets a new database password without the old one: a
 * user with access to the database's files can read all data anyway.
 */
const config = configureProcess(
  'npm run secrets: creates a new secrets.json if it was lost or belongs to another library.',
  embeddedVariables,
);
const { dataDirectory } = config;
const directory = join(dataDirectory, 'postgres');

try {
  const lock = lockDataDirectory(dataDirectory);
  try {
    if (!(await isInitialized(directory))) throw new Error(`no database in ${directory}; npm start creates one`);
    const existing = findSecrets(dataDirectory);
    if (existing !== undefined && (await isAccepted(existing.databasePassword)))
      throw new Error(`secrets.json exists in ${dataDirectory}; nothing to do`);
    const secrets = createSecrets();
    const leftBehind = await findPostmaster(directory);
    if (leftBehind !== undefined) await stopPostmaster(leftBehind);
    await removeMisleadingPidFile(directory);
    const [binaries, account] = [await findPostgresBinaries(), findAccount(directory)];
    await setPostgresPassword({ directory, password: secrets.databasePassword, binaries, account });
    if (existing !== undefined) process.stdout.write(`The old file is now ${await moveSecretsAside(dataDirectory)}\n`);
    await saveSecrets(dataDirectory, secrets);
    process.stdout.write(
      `A new secrets.json is in ${dataDirectory}. Everyone has to sign in again, and existing file links no longer work.\n` +
        `New password of the administrator ${config.adminUsername}: ${secrets.adminPassword}\n`,
    );
  } finally {
    lock.release();
  }
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exitCode = 1;
}

/** Starts the database temporarily to test the password. */
async function isAccepted(password: string): Promise<boolean> {
  try {
    await (await startEmbeddedPostgres({ directory, password })).stop();
    return true;
  } catch (error) {
    if (isPasswordRejected(error)) return false;
    throw error;
  }
}
