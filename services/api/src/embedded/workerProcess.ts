import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exitCodes } from '@hearth/core/config/configureProcess.ts';
import { watchHeartbeats } from '@hearth/core/process/heartbeat.ts';
import type { Log } from '@hearth/core/log/log.ts';

/** Entry point of the worker. Started by path, because API and worker communicate only through database and queue. */
const program = fileURLToPath(new URL('../../../worker/src/main.ts', import.meta.url));

/** Delay before a restart, in ms. Doubled after each failure up to `longest`. */
const restartMs: readonly [first: number, longest: number] = [500, 30_000];

/** A worker as a child process. Restarted whenever it exits or sends no heartbeat for 20 s. */
export interface WorkerProcess {
  /** Lets the worker finish its current work. Resolves when it has exited. */
  stop(): Promise<void>;
  /** Kills the worker. Its current work starts over after the next start. */
  kill(): void;
}

/**
 * Starts the worker, which exits by itself when this process is gone.
 * @param onUnusable called if the worker rejects its configuration, after it has printed why
 */
export const startWorkerProcess = (env: NodeJS.ProcessEnv, log: Log, onUnusable: () => void): WorkerProcess => {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  const keepRunning = async (): Promise<void> => {
    let [delayMs] = restartMs;
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      // Its own process group, so that Ctrl-C reaches only this process, which stops the worker in time. Inherits
      // the Node options of this process, such as the small young generation of npm start.
      child = spawn(process.execPath, [...process.execArgv, program], {
        env,
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      const current = child;
      watchHeartbeats(current, () => {
        log.error({ pid: current.pid }, 'worker stalled; stopping it');
        current.kill('SIGKILL');
      });
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      if (stopping.signal.aborted) return;
      if (code === exitCodes.badConfiguration) return onUnusable();
      log.warn({ code, signal }, 'worker exited; restarting it');
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
