import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { commandAs, findAccount, type Account } from '@hearth/api/embedded/postgres/account.ts';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { launchPostmaster, stopPostmaster } from '@hearth/api/embedded/postgres/postmaster.ts';

/** A PostgreSQL that Hearth does not manage. Any version from 15 on works. */
export interface ForeignPostgresOptions {
  /** Database directory, created if missing. Its parent must exist, and only the server may use the parent. */
  readonly directory: string;
  readonly password: string;
  /** Folder of `initdb` and `postgres`. */
  readonly programs: string;
}

/** Superuser of the server, and owner of its databases. The owner is not a superuser, like Hearth's user. */
export const administrator = 'administrator';
export const databaseOwner = 'hearth';

/**
 * Starts a PostgreSQL with other settings than the embedded one: ICU collation if available, and a time zone other than
 * UTC. Hearth must not depend on either.
 */
export const startForeignPostgres = async ({ directory, password, programs }: ForeignPostgresOptions) => {
  const binaries = { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres') };
  const account = findAccount(directory);
  const isInitialised = existsSync(join(directory, 'PG_VERSION'));
  if (!isInitialised) await initialise({ directory, password, programs, initdb: binaries.initdb, account });
  const port = await findFreePort();
  const postmaster = await launchPostmaster({ directory, binaries, account, settings: { ...settings, port } });
  const url = `postgres://${administrator}:${password}@127.0.0.1:${port}/postgres`;
  if (!isInitialised) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`create role ${databaseOwner} login password '${password}'`);
    await client.end();
  }
  return {
    administratorUrl: () => url,
    stop: () => stopPostmaster(postmaster),
  };
};

const initialise = async ({
  directory,
  password,
  programs,
  initdb,
  account,
}: ForeignPostgresOptions & { readonly initdb: string; readonly account: Account | undefined }): Promise<void> => {
  await mkdir(directory, { mode: 0o700 });
  const passwordFile = `${directory}.password`;
  await writeFile(passwordFile, password);
  if (account !== undefined) for (const path of [directory, passwordFile]) await chown(path, account.uid, account.gid);
  const run = async (...args: string[]): Promise<string> => {
    const [command, commandArgs] = commandAs(account, initdb, args);
    return (await promisify(execFile)(command, commandArgs, { env: environment })).stdout;
  };
  const hasIcu = (await run('--help')).includes('--icu-locale') && (await isBuiltWithIcu(programs));
  await run(
    `--pgdata=${directory}`,
    `--username=${administrator}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    ...(hasIcu ? ['--locale-provider=icu', '--icu-locale=en-US'] : []),
    '--no-sync',
  );
};

const environment = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' };

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'Asia/Kathmandu',
  // Many test files share one server. Committed data survives a kill, but not a power loss.
  max_connections: 300,
  fsync: 'off',
  full_page_writes: 'off',
};

const isBuiltWithIcu = async (programs: string): Promise<boolean> =>
  (await promisify(execFile)(join(programs, 'pg_config'), ['--configure'])).stdout.includes('--with-icu');
