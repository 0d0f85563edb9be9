import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exitCodes } from '@hearth/core/config/configureProcess.ts';
import { watchHeartbeats } from '@hearth/core/process/heartbeat.ts';
import type { Log } from '@hearth/core/log/log.ts';

/** The worker that embedded mode runs beside the API. Started by its path: the two talk through database and queue only. */
const program = fileURLToPath(new URL('../../../worker/src/main.ts', import.meta.url));

/** Milliseconds until a worker that ended is started again; doubled each time up to the second number. */
const restartMs: readonly [first: number, longest: number] = [500, 30_000];

/** A worker as child process, started again whenever it ends or has been silent for 20 s, until it is stopped. */
export interface WorkerProcess {
  /** Asks the worker to finish what it has in hand, and resolves when it is gone. */
  stop(): Promise<void>;
  /** Ends the worker at once: what it had in hand is begun anew after the next start. */
  kill(): void;
}

/**
 * Starts the worker. It ends by itself when this process is gone, however that ended.
 * @param onUnusable called when the worker's own configuration is not usable, which it has printed
 */
export const startWorkerProcess = (env: NodeJS.ProcessEnv, log: Log, onUnusable: () => void): WorkerProcess => {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  const keepRunning = async (): Promise<void> => {
    let [delayMs] = restartMs;
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      // In a process group of its own: Ctrl-C at the terminal is for this process, which stops the worker when it is time.
      // With the arguments that Node was given for this process, such as the small nursery of npm start.
      child = spawn(process.execPath, [...process.execArgv, program], {
        env,
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      const silent = child;
      watchHeartbeats(silent, () => {
        log.error({ pid: silent.pid }, 'the worker does nothing any more and is ended');
        silent.kill('SIGKILL');
      });
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      if (stopping.signal.aborted) return;
      if (code === exitCodes.badConfiguration) return onUnusable();
      log.warn({ code, signal }, 'the worker ended and is started again');
      delayMs = Date.now() - startedAt > restartMs[1] ? restartMs[0] : Math.min(delayMs * 2, restartMs[1]);
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const ended = keepRunning();
  return {
    stop: async () => {
      stopping.abort();
      child?.kill('SIGTERM');
      await ended;
    },
    kill: () => {
      stopping.abort();
      child?.kill('SIGKILL');
    },
  };
};
