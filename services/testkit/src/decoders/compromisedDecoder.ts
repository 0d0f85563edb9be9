import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type NetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMigratedDatabase } from '../database/migratedDatabase.ts';
import { openConfinement, unconfined, type Confinement } from '@hearth/worker/media/sandbox/confinement/confinement.ts';
import { forkDecoder, openChannelTo } from '@hearth/worker/media/sandbox/processes/forkDecoder.ts';
import type { AttackTargets } from '@hearth/worker/media/sandbox/testing/compromisedChild.ts';

/** A data folder and servers like those on a worker's machine. */
export interface Surroundings extends AsyncDisposable {
  readonly scratchDirectory: string;
  readonly secrets: string;
  /** Input file of the decoder. */
  readonly original: string;
  open(kind: 'bubblewrap' | 'landlock'): Promise<Confinement>;
  /** Starts a compromised child in place of a decoder, and returns its successful attempts. */
  attack(confinement: Confinement | undefined): Promise<readonly string[]>;
}

/** Number of attempts per attack. */
export const attemptCount = 18;

const marker = 'hearth-marker-of-the-worker';

/** Makes the folder, servers on all kinds of sockets, and a PostgreSQL database. Disposing it removes everything. */
export async function startSurroundings(): Promise<Surroundings> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-taken-over-'));
  const dataDirectory = join(folder, 'data');
  const scratchDirectory = join(dataDirectory, 'scratch', 'worker');
  const originals = join(dataDirectory, 'objects', 'user');
  for (const directory of [scratchDirectory, originals]) await mkdir(directory, { recursive: true });
  const [secrets, original, other] = ['secrets.json', 'objects/user/mine', 'objects/user/other'].map((path) =>
    join(dataDirectory, path),
  ) as [string, string, string];
  for (const path of [secrets, original, other]) await writeFile(path, 'secret');
  const writable = [dataDirectory, originals, folder, import.meta.dirname];
  const [socketPath, abstractPath] = [join(folder, 'server.sock'), `\0hearth-taken-over-${process.pid}`];
  const servers = await Promise.all(
    [{ port: 0, host: '127.0.0.1' }, { path: socketPath }, { path: abstractPath }].map(listen),
  );
  const database = await createMigratedDatabase();
  const { hostname, port } = new URL(database.url);
  const targets = (pid: number, path: string): AttackTargets => ({
    pid,
    marker,
    readable: [secrets, other, '/etc/passwd'],
    writable,
    original: path,
    addresses: [
      { name: 'TCP', to: { host: '127.0.0.1', port: (servers[0]!.address() as AddressInfo).port } },
      { name: 'PostgreSQL', to: { host: hostname, port: Number(port) } },
      { name: 'a socket', to: { path: socketPath } },
      { name: 'an abstract socket', to: { path: abstractPath } },
    ],
  });
  return {
    scratchDirectory,
    secrets,
    original,
    open: (kind) => openConfinement({ dataDirectory, scratchDirectory, kinds: [kind] }),
    attack: async (confinement) => {
      const sandbox = confinement?.createSandbox('read') ?? unconfined;
      const victim = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', marker], {
        env: { MARKER: marker },
        stdio: 'ignore',
      });
      const child = forkDecoder(
        new URL('../../../worker/src/media/sandbox/testing/compromisedChild.ts', import.meta.url),
        [],
        sandbox,
        { openFiles: 256 },
      );
      try {
        const result = Promise.withResolvers<string[]>();
        const channel = openChannelTo(child, {
          onMessage: result.resolve,
          parse: (message) => message as string[],
          onFault: result.reject,
        });
        channel.send(targets(victim.pid!, await sandbox.addFile(original)));
        return await result.promise;
      } finally {
        child.kill('SIGKILL');
        victim.kill('SIGKILL');
        await once(child, 'close');
        await sandbox.remove();
        for (const path of writable) await rm(join(path, 'taken-over'), { force: true });
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) server.close();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

async function listen(to: NetConnectOpts) {
  const server = createServer((socket) => socket.end()).unref();
  await once(server.listen(to), 'listening');
  return server;
}
