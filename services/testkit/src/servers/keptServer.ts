import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A server that a test may break in every way, and that goes away, with its folder, when this process ends, however that is. */
export interface KeptServer {
  /** The id of the server's process; `restart` changes it before the server answers. */
  readonly pid: number;
  /** Ends the server by SIGKILL, as a power loss would, and resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts the server again, on the same port and folder, after ending it by `kill`. Resolves when it answers. */
  restart(): Promise<void>;
  /** Freezes the server by SIGSTOP, so that it takes connections and never answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Asks the server to end, by SIGTERM. Resolves when it is gone, with its exit code or the signal that ended it. */
  end(): Promise<string>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/** What a server is run with. */
export interface KeptServerOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** An existing folder that belongs to the server alone and is removed with it. */
  readonly directory: string;
  /** The file for what the server prints; if undefined, a file in the folder. */
  readonly output?: string;
  /** Whether the server answers; asked until it does or has ended. */
  readonly isReady: () => Promise<boolean>;
}

/** Starts a server by `serverKeeper.ts` and resolves when it answers. */
export const startKeptServer = async (options: KeptServerOptions): Promise<KeptServer> => {
  const { program, args, env = {}, directory, output: outputPath = join(directory, 'server.log'), isReady } = options;
  const keeper = spawn(
    process.execPath,
    [fileURLToPath(new URL('serverKeeper.ts', import.meta.url)), directory, outputPath, program, ...args],
    { detached: true, env: { ...env, PATH: '/usr/local/bin:/usr/bin:/bin' }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [input, output] = [keeper.stdin as Socket, keeper.stdout as Socket];
  // A keeper that is gone is noticed by what it does not answer.
  input.on('error', () => undefined);
  const answers = createInterface({ input: output });
  const keeperEnded = once(keeper, 'exit').then(() => undefined);
  // The server must not keep this process running, except while it is waited for.
  keeper.unref();
  input.unref();
  output.unref();

  let started = Promise.withResolvers<number>();
  /** How processes have ended, by their numbers. */
  const endings = new Map<number, string>();
  answers.on('line', (line) => {
    const [what, pid, how = ''] = line.split(' ');
    if (what === 'started') started.resolve(Number(pid));
    else endings.set(Number(pid), how);
  });

  let pid = 0;
  const launch = async (): Promise<void> => {
    output.ref();
    try {
      started = Promise.withResolvers();
      input.write('start\n');
      pid = (await Promise.race([started.promise, keeperEnded])) ?? 0;
      endings.delete(pid);
      while (!(await isReady())) {
        if (!(pid > 0 && isRunning(pid))) throw new Error(`${program} did not start: ${await lastWords(outputPath)}`);
        await delay(20);
      }
    } finally {
      output.unref();
    }
  };
  const kill = async (): Promise<void> => {
    signalIfThere(pid, 'SIGKILL');
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
    freeze: async () => void signalIfThere(pid, 'SIGSTOP'),
    thaw: async () => void signalIfThere(pid, 'SIGCONT'),
    end: async () => {
      signalIfThere(pid, 'SIGTERM');
      for (;;) {
        const how = endings.get(pid);
        if (how !== undefined) return how;
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

const lastWords = async (path: string): Promise<string> => (await readFile(path, 'utf8')).slice(-2_000);

const isRunning = (pid: number): boolean => signalIfThere(pid, 0);

/** Signals a process that may have ended a moment ago; false where it has. */
const signalIfThere = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  // 0 would be this process and its whole group.
  if (pid <= 0) return false;
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
};
