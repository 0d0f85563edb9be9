import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { startSupervisedServer, type SupervisedServer } from './supervisedServer.ts';
import { getFastFolder } from '../run/fastFolder.ts';
import { toolPath } from '../run/tools.ts';

/** A Redis for one test. Acknowledged writes survive `kill`, because it uses the append-only file. */
export interface TestRedis extends SupervisedServer {
  /** `redis://127.0.0.1:<port>/0` */
  readonly url: string;
  /** Folder with the data of Redis. */
  readonly directory: string;
}

/** Starts a Redis with enough databases for all test files. `args` are further settings, such as `--requirepass`. */
export const startTestRedis = async ({ args = [] }: { readonly args?: readonly string[] } = {}): Promise<TestRedis> => {
  const port = await findFreePort();
  const directory = await mkdtemp(join(getFastFolder(), 'hearth-test-redis-'));
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: directory,
    databases: 10_000,
    appendonly: 'yes',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  const server = await startSupervisedServer({
    program: toolPath('redis-server'),
    args: [...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]), ...args],
    directory,
    isReady: () => isReady(port),
  });
  return Object.assign(server, { url: `redis://127.0.0.1:${port}/0`, directory });
};

/** Returns true if a Redis on the port has loaded its data and responds, even if it requires a password. */
const isReady = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1').setTimeout(2_000, () => socket.destroy());
  socket.write('PING\r\n');
  try {
    // Also ends if the connection is closed without a response, for example because the server was killed.
    for await (const response of socket) return /^(\+PONG|-NOAUTH)/.test(String(response));
  } catch {
    // Not listening yet.
  }
  return false;
};
