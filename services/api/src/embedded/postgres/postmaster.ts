import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commandAs, type Account } from './account.ts';
import type { PostgresBinaries } from './postgresBinaries.ts';
import { postgresEnvironment } from './postgresDirectory.ts';
import { isAccepting, type Postmaster } from './postmasterPidFile.ts';

/** A server started by this process. */
export interface OwnPostmaster extends Postmaster {
  /** Resolves when the server has exited for any reason. */
  readonly exited: Promise<unknown>;
}

/** The server exited before it accepted connections. The message ends with its last output. */
export class PostmasterFailedError extends Error {
  constructor(directory: string, output: string) {
    super(`PostgreSQL did not start (see ${join(directory, 'log')}): ${output}`);
    this.name = 'PostmasterFailedError';
  }
}

export interface LaunchOptions {
  readonly directory: string;
  readonly binaries: PostgresBinaries;
  readonly account: Account | undefined;
  /** PostgreSQL settings. They override the configuration files of the directory. */
  readonly settings: Readonly<Record<string, string | number>>;
}

/**
 * Starts the server in its own session, so that Ctrl-C in the terminal does not reach it. Resolves when the server
 * accepts connections, however long it replays its log after a crash.
 * @throws PostmasterFailedError
 */
export const launchPostmaster = async (options: LaunchOptions): Promise<OwnPostmaster> => {
  const { directory, binaries, account, settings } = options;
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command, commandArgs] = commandAs(account, binaries.postgres, ['-D', directory, ...args]);
  const child = spawn(command, commandArgs, {
    detached: true,
    env: postgresEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2_000)));
  const exited = once(child, 'exit');
  const closed = once(child, 'close').catch(() => undefined);
  const isReady = await Promise.race([exited.then(() => false), waitUntilReady(directory, child)]);
  if (!isReady || child.pid === undefined) {
    // The last output may arrive after the exit. Limits the wait, because the log process of the server keeps the pipe
    // open.
    await Promise.race([closed, delay(200)]);
    throw new PostmasterFailedError(directory, output.trim());
  }
  child.unref();
  (child.stderr as unknown as { unref(): void }).unref();
  return { pid: child.pid, exited, isRunning: async () => isRunning(child) };
};

/**
 * Shuts the server down like `pg_ctl stop -m fast`: rolls back transactions, writes all data and closes connections.
 * After a minute, ends it without writing, so the next start has to replay the log.
 */
export const stopPostmaster = async (server: Postmaster): Promise<void> => {
  for (const { signal, timeoutMs } of stopSignals) {
    if (!(await server.isRunning())) return;
    signalIfRunning(server.pid, signal);
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline) {
      if (!(await server.isRunning())) return;
      await delay(25);
    }
  }
  throw new Error(`PostgreSQL (process ${server.pid}) did not stop`);
};

/** Fast, then immediate shutdown: https://www.postgresql.org/docs/current/server-shutdown.html. */
const stopSignals = [
  { signal: 'SIGINT', timeoutMs: 60_000 },
  { signal: 'SIGQUIT', timeoutMs: 10_000 },
] as const;

/** Ignores a process that has already exited. */
const signalIfRunning = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Returns false if the server exited before it accepted connections. */
const waitUntilReady = async (directory: string, child: ChildProcess): Promise<boolean> => {
  while (child.pid !== undefined && isRunning(child)) {
    if (await isAccepting(directory, child.pid)) return true;
    await delay(25);
  }
  return false;
};

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;
