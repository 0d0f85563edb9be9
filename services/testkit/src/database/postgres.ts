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

/** A database that belongs to one test file alone. */
export interface TestDatabase {
  readonly url: string;
  /** Removes it; connections still open are cut. */
  drop(): Promise<void>;
}

/**
 * Makes an empty database, or a copy of `template`, to which nobody may be connected then. It lies on the server that `HEARTH_TEST_DATABASE_URL`
 * names, else on an embedded one that the first call starts and that goes away with this process, however it ends.
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
  const copied = template === undefined ? '' : `template "${template}"`;
  // Copies files instead of writing every page to the log, which takes eight times the processor.
  await queryOnce(serverUrl, `create database ${name} owner ${url.username} ${copied} strategy file_copy`);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await queryOnce(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
};

/** Runs one statement on a connection of its own and answers its rows. */
export const queryOnce = async <Row extends pg.QueryResultRow = pg.QueryResultRow>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that breaks makes its query fail too; without a listener it would end the process besides.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
};

/**
 * Runs statements as `queryOnce` does on the database that `findUrl` answers at that moment, each on some connection. Connections are kept for a second:
 * whoever waits for something asks several times a second, and opening one takes the processor thirty times as long as a short query.
 */
export const queryAgain = (
  findUrl: () => Promise<string>,
): (<Row extends object>(statement: string, values?: readonly unknown[]) => Promise<Row[]>) => {
  let opened: { readonly url: string; readonly pool: pg.Pool } | undefined;
  const poolOf = (connectionString: string): pg.Pool => {
    if (opened?.url === connectionString) return opened.pool;
    void opened?.pool.end();
    const lifetimes = { connectionTimeoutMillis: 10_000, idleTimeoutMillis: 1_000, allowExitOnIdle: true };
    const pool = new pg.Pool({ connectionString, ...lifetimes });
    // One that breaks while nobody uses it is opened anew.
    pool.on('error', () => undefined);
    opened = { url: connectionString, pool };
    return pool;
  };
  return async <Row extends object>(statement: string, values: readonly unknown[] = []) =>
    (await poolOf(await findUrl()).query<Row & pg.QueryResultRow>(statement, [...values])).rows;
};

/** The server that a test run has started for all its files; `undefined` where a test file runs alone. */
export const sharedServerUrl = (): string | undefined =>
  // oxlint-disable-next-line node/no-process-env -- no process of ours is configured here: the test runner hands its server to the files
  process.env['HEARTH_TEST_DATABASE_URL'] || undefined;

/** A server that goes away with the process that started it. */
export interface TestServer {
  readonly url: string;
  /** The program that keeps the server running; while it is stopped by SIGSTOP, a server that was killed stays away. */
  readonly keeperPid: number;
  /** Ends the server and resolves when it is gone. */
  stop(): Promise<void>;
}

/** The server to start, and whether it writes through to the disk as in a home: measurements need that, tests need only what survives a kill. */
export interface TestServerOptions {
  readonly programs?: string;
  readonly isDurable?: boolean;
  /** A folder in which its files stay, from where the next one goes on with them. */
  readonly kept?: string;
}

/**
 * Starts `postgresServer.ts` and resolves when the server accepts connections: the embedded one, or the one whose programs are
 * in the folder `programs`, which is not started again when it dies.
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
  throw new Error('the PostgreSQL for tests did not start; it says above why');
};

let ownServer: Promise<TestServer> | undefined;

/** The server for tests as its superuser: the shared one, else one of this process's own, which the first call starts. */
export const findServer = async (): Promise<string> =>
  sharedServerUrl() ?? (await (ownServer ??= startTestServer())).url;
