import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { reservePort } from '@hearth/core/process/freePort.ts';
import type { Query } from '../run/actsLog.ts';
import { placesFileVariable } from '../libraries/placesFile.ts';
import { getDataDirectory, getTemporaryDirectory } from './dataFolder.ts';
import { queryEmbedded } from './embeddedDatabase.ts';
import { watchProcessTree, type ProcessTree } from './processTree.ts';
import type { Credentials } from './request.ts';
import { waitFor } from './wait.ts';

/** The program of `npm start`, and its options for Node. */
const program = fileURLToPath(new URL('../../../api/src/embedded/main.ts', import.meta.url));
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8')) as {
  readonly scripts: { readonly start: string };
};
const nodeOptions = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'));

export interface HearthOptions {
  /** Folder for all files of this Hearth: data, temporary files, output. */
  readonly directory: string;
  readonly ports: HearthPorts;
  /** Configuration other than folders and ports. */
  readonly env?: Readonly<Record<string, string>>;
  /** Wraps Hearth's command line. The wrapper must replace itself by Hearth with exec. */
  readonly wrap?: (command: readonly string[]) => string[];
}

/** The metrics of the worker are served on the port after `metrics`. */
export interface HearthPorts {
  readonly api: number;
  readonly metrics: number;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Returns, for example, `SIGKILL` or `exit code 1`. */
export const describeExit = ({ code, signal }: ProcessExit): string => signal ?? `exit code ${code}`;

/** Hearth in embedded mode, as `npm start` runs it, in its own process group. It ends with this process. */
export interface Hearth {
  readonly pid: number;
  readonly url: string;
  /** Resolves when Hearth reports that it is running; rejects if it ends before. */
  readonly running: Promise<void>;
  readonly ended: Promise<ProcessExit>;
  /** Returns the output and log so far. */
  output(): string;
}

/** Starts Hearth. Its output goes to a file in the directory that is named after the time of the start. */
export const startHearth = ({
  directory,
  ports,
  env = {},
  wrap = (command) => [...command],
}: HearthOptions): Hearth => {
  mkdirSync(getTemporaryDirectory(directory), { recursive: true });
  const logPath = join(directory, `hearth-${Date.now()}.log`);
  const log = openSync(logPath, 'a');
  const [command = '', ...args] = wrap([process.execPath, ...nodeOptions, program]);
  const child = spawn(command, args, {
    detached: true,
    env: {
      ...inheritedVariables(),
      TMPDIR: getTemporaryDirectory(directory),
      HEARTH_DATA_DIR: getDataDirectory(directory),
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
  const ended = once(child, 'exit').then(([code, signal]): ProcessExit => ({ code, signal }));
  const running = (async () => {
    while (!output().includes('Hearth is running at')) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`Hearth did not start:\n${output()}`);
      await sleep(20);
    }
  })();
  running.catch(() => undefined);
  return { pid: child.pid!, url: `http://127.0.0.1:${ports.api}`, running, ended, output };
};

/** Resolves when the output matches. A log line may appear later than its effect: pino writes in another thread. */
export const waitForOutput = async ({ output }: Pick<Hearth, 'output'>, pattern: RegExp): Promise<void> => {
  await waitFor(`the output to match ${pattern}`, async () => pattern.test(output()));
};

/** A library and all its processes. */
export interface Library {
  readonly url: string;
  readonly credentials: Credentials;
  /**
   * Queries the database directly.
   * @throws Error if it is not running
   */
  readonly query: Query;
  readonly processes: ProcessTree;
}

export interface RunningHearth extends Hearth, Library {
  /**
   * Credentials that Hearth shows at its first start.
   * @throws Error if an administrator was configured, because Hearth then shows none
   */
  readonly credentials: Credentials;
  /** Sends SIGTERM unless Hearth has ended, and resolves when it has. */
  stop(): Promise<ProcessExit>;
}

/** Starts Hearth on free ports, adds it to `processes`, and resolves when it is running. */
export const runHearth = async ({
  processes = watchProcessTree(),
  ...options
}: Omit<HearthOptions, 'ports'> & { readonly processes?: ProcessTree }): Promise<RunningHearth> => {
  const hearth = startHearth({ ...options, ports: await findFreePorts() });
  processes.adopt(hearth.pid);
  await hearth.running;
  return {
    ...hearth,
    get credentials() {
      return getCredentials(hearth);
    },
    query: queryEmbedded(options.directory),
    processes,
    stop: async () => {
      const hasEnded = await Promise.race([hearth.ended.then(() => true), sleep(0, false)]);
      if (!hasEnded) process.kill(hearth.pid, 'SIGTERM');
      const exit = await hearth.ended;
      processes.stopWatching();
      return exit;
    },
  };
};

/** Returns `NODE_OPTIONS` with the options of `npm start`, for processes that are started without it. */
export const makeStartOptions = (extraOptions: readonly string[] = []): { readonly NODE_OPTIONS: string } => ({
  NODE_OPTIONS: [...nodeOptions, ...extraOptions].join(' '),
});

/** Administrator of an installation that is started with `adminVariables`. */
export const admin: Credentials = { username: 'keeper', password: 'the-keepers-password' };

/** Configures an administrator. Hearth then creates and shows no first user. */
export const adminVariables = { HEARTH_ADMIN_USERNAME: admin.username, HEARTH_ADMIN_PASSWORD: admin.password } as const;

/**
 * Returns the first user's credentials.
 * @throws Error if Hearth has not shown them
 */
export const getCredentials = ({ output }: Hearth): Credentials => {
  const credentials = findCredentials(output());
  if (credentials === undefined) throw new Error(`no credentials in the output:\n${output()}`);
  return credentials;
};

/** Finds the first user's credentials in the output. */
export const findCredentials = (output: string): Credentials | undefined => {
  const [, username, password] = /Sign in as +(\S+)\n +Password +(\S+)\n/.exec(output) ?? [];
  return username === undefined || password === undefined ? undefined : { username, password };
};

/**
 * Finds unused ports below the range of ephemeral ports. Otherwise a client that retries while Hearth restarts could occupy
 * one of them with its own connection.
 */
export const findFreePorts = async (): Promise<HearthPorts> => {
  for (;;) {
    const api = randomInt(15_000, 30_000);
    const reservations = await Promise.all([api, api + 1, api + 2].map(reservePort));
    if (reservations.every(Boolean)) return { api, metrics: api + 1 };
  }
};

/** Returns this process's environment without the variables of Hearth, test runs and Node, except for the compile cache. */
const inheritedVariables = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(HEARTH|NODE)_/.test(name) || name === 'NODE_COMPILE_CACHE'),
  );
