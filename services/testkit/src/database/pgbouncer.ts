import { once } from 'node:events';
import { chown, mkdtemp, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandAs, findAccount } from '@hearth/api/embedded/postgres/account.ts';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { startSupervisedServer, type SupervisedServer } from '../servers/supervisedServer.ts';
import { toolPath } from '../run/tools.ts';

/** A PgBouncer for one test. */
export interface TestPgbouncer extends SupervisedServer {
  /** URL of the database through PgBouncer. */
  readonly url: string;
}

/** Number of connections that all clients share. It is less than one API process opens without PgBouncer. */
const serverConnections = 6;

/**
 * Starts a PgBouncer in front of a database, in transaction mode with default settings. It may use another server
 * connection for each transaction of a client, and rejects session parameters.
 */
export const startTestPgbouncer = async (databaseUrl: string): Promise<TestPgbouncer> => {
  const { hostname, port: databasePort, pathname, username, password } = new URL(databaseUrl);
  const port = await findFreePort();
  const directory = await mkdtemp(join(tmpdir(), 'hearth-test-pgbouncer-'));
  const settingsPath = join(directory, 'pgbouncer.ini');
  const usersPath = join(directory, 'users.txt');
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: usersPath,
    pool_mode: 'transaction',
    default_pool_size: serverConnections,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const database = `${pathname.slice(1)} = host=${hostname} port=${databasePort}`;
  await writeFile(settingsPath, ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n'));
  await writeFile(usersPath, `"${username}" "${decodeURIComponent(password)}"\n`, { mode: 0o600 });
  // PgBouncer refuses to run as root, like PostgreSQL.
  const account = findAccount(directory);
  if (account !== undefined) {
    for (const path of [directory, settingsPath, usersPath]) await chown(path, account.uid, account.gid);
  }
  const [program, args] = commandAs(account, toolPath('pgbouncer'), [settingsPath]);
  const server = await startSupervisedServer({ program, args, directory, isReady: () => isListening(port) });
  return Object.assign(server, { url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}` });
};

const isListening = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};
