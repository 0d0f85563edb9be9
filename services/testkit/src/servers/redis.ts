import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { startKeptServer, type KeptServer } from './keptServer.ts';
import { quickFolder } from '../run/quickFolder.ts';
import { toolPath } from '../run/tools.ts';

/** A Redis of a test's own; what it has acknowledged survives `kill`, as with any Redis that writes its append-only file. */
export interface TestRedis extends KeptServer {
  /** `redis://127.0.0.1:<port>/0` */
  readonly url: string;
  /** The folder with the data of Redis. */
  readonly directory: string;
}

/** Starts a Redis with as many databases as test files may ever want; `args` are further settings, such as `--requirepass`. */
export const startTestRedis = async ({ args = [] }: { readonly args?: readonly string[] } = {}): Promise<TestRedis> => {
  const port = await findFreePort();
  const directory = await mkdtemp(join(quickFolder(), 'hearth-test-redis-'));
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: directory,
    databases: 10_000,
    appendonly: 'yes',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  const server = await startKeptServer({
    program: toolPath('redis-server'),
    args: [...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]), ...args],
    directory,
    isReady: () => answersPing(port),
  });
  return Object.assign(server, { url: `redis://127.0.0.1:${port}/0`, directory });
};

/** Whether a Redis answers on the port, one that asks for a password first included, and is not still reading its file. */
const answersPing = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1').setTimeout(2_000, () => socket.destroy());
  socket.write('PING\r\n');
  try {
    // Also ends where the connection is closed without an answer, as by a server that is killed meanwhile.
    for await (const answer of socket) return /^(\+PONG|-NOAUTH)/.test(String(answer));
  } catch {
    // Nobody listens there yet.
  }
  return false;
};
