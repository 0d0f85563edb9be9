import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A server that tests may break. It ends with this process in any case, and its folder is removed. */
export interface SupervisedServer {
  /** Pid of the server. `restart` changes it before the server responds. */
  readonly pid: number;
  /** Kills the server with SIGKILL, like a crash. Resolves when it has ended. */
  kill(): Promise<void>;
  /** Kills the server and starts it again, on the same port and folder. Resolves when it responds. */
  restart(): Promise<void>;
  /** Stops the server with SIGSTOP, so that it accepts connections but never responds. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Sends SIGTERM. Resolves with the exit code or signal when the server has ended. */
  end(): Promise<string>;
  /** Kills the server and deletes its folder. */
  stop(): Promise<void>;
}

export interface SupervisedServerOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Existing folder for this server only. It is removed with the server. */
  readonly directory: string;
  /** File for the output of the server. Default: a file in the folder. */
  readonly output?: string;
  /** Returns true if the server responds. Polled until it does or has ended. */
  readonly isReady: () => Promise<boolean>;
}

/** Starts a server with `serverKeeper.ts` and resolves when it responds. */
export const startSupervisedServer = async (options: SupervisedServerOptions): Promise<SupervisedServer> => {
  const { program, args, env = {}, directory, output: outputPath = join(directory, 'server.log'), isReady } = options;
  const keeper = spawn(
    process.execPath,
    [fileURLToPath(new URL('serverKeeper.ts', import.meta.url)), directory, outputPath, program, ...args],
    { detached: true, env: { ...env, PATH: '/usr/local/bin:/usr/bin:/bin' }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [input, output] = [keeper.stdin as Socket, keeper.stdout as Socket];
  // The exit event reports an ended keeper, so errors of its input are ignored.
  input.on('error', () => undefined);
  const reports = createInterface({ input: output });
  const keeperEnded = once(keeper, 'exit').then(() => undefined);
  // The server must not keep this process running, except while waiting for it.
  keeper.unref();
  input.unref();
  output.unref();

  let started = Promise.withResolvers<number>();
  /** Exit codes or signals by pid. */
  const exits = new Map<number, string>();
  reports.on('line', (line) => {
    const [event, pid, description = ''] = line.split(' ');
    if (event === 'started') started.resolve(Number(pid));
    else exits.set(Number(pid), description);
  });

  let pid = 0;
  const launch = async (): Promise<void> => {
    output.ref();
    try {
      started = Promise.withResolvers();
      input.write('start\n');
      pid = (await Promise.race([started.promise, keeperEnded])) ?? 0;
      exits.delete(pid);
      while (!(await isReady())) {
        if (!(pid > 0 && isRunning(pid)))
          throw new Error(`${program} did not start: ${await readLastLines(outputPath)}`);
        await delay(20);
      }
    } finally {
      output.unref();
    }
  };
  const kill = async (): Promise<void> => {
    sendSignal(pid, 'SIGKILL');
    while (isRunning(pid)) await delay(5);
  };

  await launch();
  return {
    get pid() {
      return pid;
    },
    kill,
    restart: async () => {
      await kill();
      await launch();
    },
    freeze: async () => void sendSignal(pid, 'SIGSTOP'),
    thaw: async () => void sendSignal(pid, 'SIGCONT'),
    end: async () => {
      sendSignal(pid, 'SIGTERM');
      for (;;) {
        const description = exits.get(pid);
        if (description !== undefined) return description;
        await delay(5);
      }
    },
    stop: async () => {
      keeper.ref();
      input.end();
      await keeperEnded;
    },
  };
};

const readLastLines = async (path: string): Promise<string> => (await readFile(path, 'utf8')).slice(-2_000);

const isRunning = (pid: number): boolean => sendSignal(pid, 0);

/** Signals a process. Returns false if it has ended. */
const sendSignal = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  // 0 would signal this process and its whole group.
  if (pid <= 0) return false;
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
};
