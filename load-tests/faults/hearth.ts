import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { placesFileVariable } from '@hearth/core/testing/placesFile.ts';

/** The program that `npm start` runs. */
const program = fileURLToPath(new URL('../../services/api/src/embedded/main.ts', import.meta.url));

/** How Hearth is run for a drill. */
export interface HearthOptions {
  /** Holds all of it: the data, the temporary files, what it printed. */
  readonly directory: string;
  readonly ports: HearthPorts;
  /** Configuration besides folders and ports. */
  readonly env?: Readonly<Record<string, string>>;
  /** The command line to run instead, for one; it becomes that process. */
  readonly wrap?: (command: readonly string[]) => string[];
}

/** The metrics of the worker are served on the port after `metrics`. */
export interface HearthPorts {
  readonly api: number;
  readonly metrics: number;
}

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** `SIGKILL` or `exit code 1`. */
export const describeEnding = ({ code, signal }: Ending): string => signal ?? `exit code ${code}`;

/** Hearth in embedded mode, as `npm start` runs it, in a process group of its own. It ends when this process does. */
export interface Hearth {
  readonly pid: number;
  readonly url: string;
  /** Resolves when it says that it runs; rejects where it ends before. */
  readonly running: Promise<void>;
  readonly ended: Promise<Ending>;
  /** What it has printed and logged so far. */
  output(): string;
}

/** Where a drill's Hearth keeps its data. */
export const dataDirectoryOf = (directory: string): string => join(directory, 'data');

/** The folder that a drill's Hearth takes for temporary files. */
export const temporaryDirectoryOf = (directory: string): string => join(directory, 'tmp');

/** Starts Hearth; what it prints goes to a numbered file in the directory. */
export const startHearth = ({
  directory,
  ports,
  env = {},
  wrap = (command) => [...command],
}: HearthOptions): Hearth => {
  mkdirSync(temporaryDirectoryOf(directory), { recursive: true });
  const logPath = join(directory, `hearth-${Date.now()}.log`);
  const log = openSync(logPath, 'a');
  const [command = '', ...args] = wrap([process.execPath, program]);
  const child = spawn(command, args, {
    detached: true,
    env: {
      ...inherited(),
      TMPDIR: temporaryDirectoryOf(directory),
      HEARTH_DATA_DIR: dataDirectoryOf(directory),
      HEARTH_PORT: String(ports.api),
      HEARTH_METRICS_PORT: String(ports.metrics),
      HEARTH_LOG_LEVEL: 'warn',
      ...placesFileVariable(),
      ...env,
    },
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const output = (): string => readFileSync(logPath, 'utf8');
  const ended = once(child, 'exit').then(([code, signal]): Ending => ({ code, signal }));
  const running = (async () => {
    while (!output().includes('Hearth is running at')) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`Hearth did not start:\n${output()}`);
      await sleep(20);
    }
  })();
  running.catch(() => undefined);
  return { pid: child.pid!, url: `http://127.0.0.1:${ports.api}`, running, ended, output };
};

/** Asks it to end, unless it has, and resolves when that is so. */
export const endHearth = async ({ pid, ended }: Hearth): Promise<void> => {
  const isOver = await Promise.race([ended.then(() => true), sleep(0, false)]);
  if (!isOver) process.kill(pid, 'SIGTERM');
  await ended;
};

/** A user name and a password, as Hearth shows them at its first start. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The first user's credentials, where they are shown. */
export const findCredentials = (output: string): Credentials | undefined => {
  const [, username, password] = /Sign in as +(\S+)\n +Password +(\S+)\n/.exec(output) ?? [];
  return username === undefined || password === undefined ? undefined : { username, password };
};

/**
 * Ports that nothing listens on, below those from which systems take the near end of outgoing connections: a client that
 * calls in vain while Hearth is being started again could otherwise occupy one.
 */
export const findFreePorts = async (): Promise<HearthPorts> => {
  for (;;) {
    const api = randomInt(15_000, 30_000);
    const areFree = await Promise.all([api, api + 1, api + 2].map(isFree));
    if (areFree.every(Boolean)) return { api, metrics: api + 1 };
  }
};

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
};

/** This process's environment without what configures Hearth, Node or a test run. */
const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(HEARTH|NODE)_/.test(name)));
