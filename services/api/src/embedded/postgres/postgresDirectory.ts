import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { commandAs, type Account } from './account.ts';
import { postgresMajorVersion, type PostgresBinaries } from './postgresBinaries.ts';

/** Name of the superuser and of the database. Hearth itself connects as `applicationRole`. */
export const postgresUser = 'hearth';

/** Environment of PostgreSQL's programs. This process's own has secrets and possibly `PG…` settings. */
export const postgresEnvironment = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' };

export interface InitializeOptions {
  readonly directory: string;
  readonly password: string;
  readonly binaries: PostgresBinaries;
  readonly account: Account | undefined;
  /** Skips fsync, for tests. */
  readonly isThrowaway: boolean;
}

/**
 * Returns true if the directory contains a database, false if it is empty or missing.
 * @throws Error for other content or another major version
 */
export const isInitialized = async (directory: string): Promise<boolean> => {
  const files = await readdir(directory).catch(ifMissing([]));
  if (files.length === 0) return false;
  const found = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(ifMissing(''));
  if (found.trim() === postgresMajorVersion) return true;
  if (found === '') throw new Error(`${directory} is not a database directory and is not empty: move it away`);
  throw new Error(
    `${directory} was created by PostgreSQL ${found.trim()}, but this version of Hearth uses ${postgresMajorVersion}: ` +
      'start the version that created it, or upgrade the directory with pg_upgrade',
  );
};

/**
 * Creates the database directory with the empty database `hearth`. Builds it in a temporary folder next to it and moves
 * it into place, so that an interrupted run leaves no incomplete database.
 */
export const initializeDirectory = async (options: InitializeOptions): Promise<void> => {
  const { directory, password, binaries, account, isThrowaway } = options;
  const parent = dirname(directory);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeInterrupted(directory);
  const workDirectory = await mkdtemp(`${directory}${unfinishedSuffix}`);
  try {
    const passwordFile = join(workDirectory, 'password');
    const newDirectory = join(workDirectory, 'database');
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (account !== undefined) await chown(workDirectory, account.uid, account.gid);
    await run(account, binaries.initdb, [
      `--pgdata=${newDirectory}`,
      `--username=${postgresUser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // Sorts by code point and folds the case of every script, identically on every system.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(isThrowaway ? ['--no-sync'] : []),
    ]);
    const single = ['--single', '-D', newDirectory, '-c', 'exit_on_error=on', 'postgres'];
    await run(account, binaries.postgres, single, `create database ${postgresUser}\n`);
    await rename(newDirectory, directory);
    await syncDirectory(parent);
  } finally {
    await rm(workDirectory, { recursive: true, force: true, maxRetries: 3 });
  }
};

/**
 * Sets a new superuser password in single-user mode, which needs no password. No server may be running on the
 * directory.
 * @param password printable ASCII without quotes
 */
export const setPostgresPassword = async ({
  directory,
  password,
  binaries,
  account,
}: Omit<InitializeOptions, 'isThrowaway'>): Promise<void> => {
  const single = ['--single', '-D', directory, '-c', 'exit_on_error=on', 'postgres'];
  await run(account, binaries.postgres, single, `alter role ${postgresUser} password '${password}'\n`);
};

const unfinishedSuffix = '.unfinished-';

/**
 * Removes leftovers of an interrupted `initializeDirectory`. Retries, because an initdb that outlived its parent may
 * still be writing.
 */
const removeInterrupted = async (directory: string): Promise<void> => {
  const parent = dirname(directory);
  const prefix = `${basename(directory)}${unfinishedSuffix}`;
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true, maxRetries: 20 });
  }
};

const run = async (
  account: Account | undefined,
  program: string,
  args: readonly string[],
  input = '',
): Promise<void> => {
  const [command, commandArgs] = commandAs(account, program, args);
  const running = promisify(execFile)(command, commandArgs, { env: postgresEnvironment });
  // If the program exits before it has read its input, the exit status explains why.
  running.child.stdin?.on('error', () => undefined).end(input);
  await running;
};

/** Makes a rename in the directory durable across a power loss. */
const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const ifMissing =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
