import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { applicationRole } from '@hearth/api/embedded/postgres/applicationRole.ts';
import { applicationPassword } from '@hearth/api/embedded/postgres/postgresUrls.ts';
import { administrator, databaseOwner } from './foreignPostgres.ts';

/** A database for one test file. */
export interface TestDatabase {
  readonly url: string;
  /** Drops the database and closes open connections. */
  drop(): Promise<void>;
}

/**
 * Creates an empty database, or a copy of `template`, which must have no open connections. Uses the server in
 * `HEARTH_TEST_DATABASE_URL`, or an embedded one. The first call starts the embedded server, which ends with this process
 * in any case.
 */
export const createTestDatabase = async ({ template }: { template?: string } = {}): Promise<TestDatabase> => {
  const serverUrl = await findServer();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(serverUrl);
  if (url.username === administrator) url.username = databaseOwner;
  else {
    url.username = applicationRole;
    url.password = applicationPassword(decodeURIComponent(url.password));
  }
  const templateClause = template === undefined ? '' : `template "${template}"`;
  // Copies files. The default strategy writes every page to the WAL, which takes eight times the CPU time.
  await queryOnce(serverUrl, `create database ${name} owner ${url.username} ${templateClause} strategy file_copy`);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await queryOnce(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
};

/** Runs one statement on a new connection and returns its rows. */
export const queryOnce = async <Row extends pg.QueryResultRow = pg.QueryResultRow>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A broken connection also fails its query. Without this listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
};

/**
 * Runs statements like `queryOnce`, on the database that `findUrl` returns for each statement. Keeps connections for a
 * second, because polling runs many statements, and opening a connection takes 30 times the CPU time of a short query.
 */
export const makeReconnectingQuery = (
  findUrl: () => Promise<string>,
): (<Row extends object>(statement: string, values?: readonly unknown[]) => Promise<Row[]>) => {
  let opened: { readonly url: string; readonly pool: pg.Pool } | undefined;
  const getPool = (connectionString: string): pg.Pool => {
    if (opened?.url === connectionString) return opened.pool;
    void opened?.pool.end();
    const lifetimes = { connectionTimeoutMillis: 10_000, idleTimeoutMillis: 1_000, allowExitOnIdle: true };
    const pool = new pg.Pool({ connectionString, ...lifetimes });
    // A connection that breaks while idle is replaced.
    pool.on('error', () => undefined);
    opened = { url: connectionString, pool };
    return pool;
  };
  return async <Row extends object>(statement: string, values: readonly unknown[] = []) =>
    (await getPool(await findUrl()).query<Row & pg.QueryResultRow>(statement, [...values])).rows;
};

/** Returns the URL of the server that a test run started for all its files. Undefined if a test file runs alone. */
export const sharedServerUrl = (): string | undefined =>
  // oxlint-disable-next-line node/no-process-env -- not configuration of Hearth: the test runner passes its server to the test files
  process.env['HEARTH_TEST_DATABASE_URL'] || undefined;

/** A server that ends with the process that started it. */
export interface TestServer {
  readonly url: string;
  /** Pid of the program that restarts a killed server. While the program is stopped with SIGSTOP, it restarts nothing. */
  readonly keeperPid: number;
  /** Stops the server. Resolves when it has ended. */
  stop(): Promise<void>;
}

export interface TestServerOptions {
  /** Folder of the server's programs. Default: the embedded PostgreSQL. */
  readonly programs?: string;
  /** Syncs writes to disk, for measurements. Tests do not need it: data survives a kill without it. */
  readonly isDurable?: boolean;
  /** Folder that keeps the server's files. The next server reuses them. */
  readonly kept?: string;
}

/**
 * Starts `postgresServer.ts` and resolves when the server accepts connections. A server from the folder `programs` is not
 * restarted when it dies.
 */
export const startTestServer = async ({
  programs,
  isDurable = false,
  kept,
}: TestServerOptions = {}): Promise<TestServer> => {
  const program = fileURLToPath(new URL('postgresServer.ts', import.meta.url));
  const args = [
    program,
    ...(programs === undefined ? [] : ['--programs', programs]),
    ...(isDurable ? ['--durable'] : []),
    ...(kept === undefined ? [] : ['--kept', kept]),
  ];
  const child = spawn(process.execPath, args, { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  for await (const url of createInterface({ input: child.stdout })) {
    for (const handle of [child, child.stdin as Socket, child.stdout as Socket]) handle.unref();
    const stop = async (): Promise<void> => {
      child.ref();
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    };
    return { url, keeperPid: child.pid!, stop };
  }
  throw new Error('the test PostgreSQL did not start; see its output above');
};

let ownServer: Promise<TestServer> | undefined;

/**
 * Returns the superuser's URL of the shared test server. Without one, the first call starts a server for this process.
 */
export const findServer = async (): Promise<string> =>
  sharedServerUrl() ?? (await (ownServer ??= startTestServer())).url;
