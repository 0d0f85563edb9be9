import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestBackEnds } from '@hearth/core/testing/backEnds.ts';
import { placesFileVariable } from '@hearth/core/testing/placesFile.ts';
import { createTestDatabase } from '@hearth/core/testing/postgres.ts';

/** An API process and a worker process on a database, a queue and an object store of their own. */
export interface Installation {
  readonly port: number;
  readonly databaseUrl: string;
  readonly admin: { readonly username: string; readonly password: string };
  /** What ended that should not have; undefined while both run. */
  died(): string | undefined;
  /** The last lines that the processes have logged. */
  lastLines(): readonly string[];
  stop(): Promise<void>;
}

/** Starts the real processes and resolves when the API is ready. */
export const startInstallation = async (): Promise<Installation> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-fuzz-'));
  const database = await createTestDatabase();
  const backEnds = await createTestBackEnds();
  const port = await findFreePort();
  const admin = { username: 'keeper', password: 'the-keepers-password' };
  const env = {
    PATH: process.env['PATH'],
    HEARTH_PORT: String(port),
    HEARTH_METRICS_PORT: '0',
    HEARTH_DATABASE_URL: database.url,
    HEARTH_DATA_DIR: directory,
    HEARTH_LOG_LEVEL: 'error',
    HEARTH_ADMIN_USERNAME: admin.username,
    HEARTH_ADMIN_PASSWORD: admin.password,
    HEARTH_TOKEN_SECRET: 'a token secret for fuzzing, long enough',
    HEARTH_LINK_SECRET: 'a link secret for fuzzing, long enough too',
    HEARTH_TRUSTED_PROXIES: 'loopback',
    HEARTH_MAX_UPLOAD_BYTES: '1000000',
    HEARTH_DECODE_TIMEOUT_SECONDS: '10',
    HEARTH_WORKER_CONCURRENCY: '2',
    ...placesFileVariable(),
    ...backEnds.variables,
  };
  const lines: string[] = [];
  const deaths: string[] = [];
  const start = (name: string): ChildProcess => {
    const program = fileURLToPath(new URL(`../../services/${name}/src/main.ts`, import.meta.url));
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const output of [child.stdout, child.stderr]) {
      output
        .setEncoding('utf8')
        .on('data', (text: string) => lines.splice(0, lines.length, ...[...lines, text].slice(-20)));
    }
    return child.on('exit', (code, signal) => deaths.push(`the ${name} process ended: ${code ?? signal}`));
  };
  const api = start('api');
  while (!(await isReady(port)) && deaths.length === 0) await delay(50);
  const worker = start('worker');
  return {
    port,
    databaseUrl: database.url,
    admin,
    died: () => deaths[0],
    lastLines: () => lines,
    stop: async () => {
      for (const child of [worker, api]) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await database.drop();
      await backEnds.remove();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

const isReady = async (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};
