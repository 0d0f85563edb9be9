import { setTimeout as sleep } from 'node:timers/promises';
import type { SupervisedServer } from '@hearth/testkit/servers/supervisedServer.ts';
import { isRunning } from '@hearth/testkit/hearth/processTree.ts';

/** Kills servers and restarts them on the same data and port. */
export interface Restarter {
  /**
   * Kills a server with SIGKILL, even during its start, and restarts it at once. Returns false if it is not running.
   */
  kill(server: SupervisedServer): boolean;
  /** Kills a server and restarts it after `ms` milliseconds. */
  stopFor(server: SupervisedServer, ms: number): Promise<void>;
  /** Resolves when all killed servers respond again. */
  settled(): Promise<void>;
  /** Returns the number of restarts. */
  starts(): number;
  /** Rejects when a server cannot be restarted, or exits without being killed. */
  readonly error: Promise<never>;
  /** Stops watching, so that servers may exit. */
  stopWatching(): void;
}

/** Watches named servers and calls `onStart` for each new process. Restarts none after `signal` is aborted. */
export const openRestarter = (
  servers: ReadonlyMap<SupervisedServer, string>,
  onStart: (server: SupervisedServer, pid: number) => unknown,
  signal: AbortSignal,
): Restarter => {
  const killed = new Set<number>();
  const restarting = new Map<SupervisedServer, Promise<void>>();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  let starts = 0;

  const start = async (server: SupervisedServer): Promise<void> => {
    const started = server.restart().then(() => true);
    for (let last = 0; ;) {
      const isStarted = await Promise.race([started, sleep(20, false)]);
      // `onStart` is called before the start completes, because a starting process may be killed too.
      const { pid } = server;
      if (pid !== last && isRunning(pid)) onStart(server, pid);
      last = pid;
      if (isStarted) return;
    }
  };
  const restart = async (server: SupervisedServer, afterMs: number): Promise<void> => {
    await sleep(afterMs, undefined, { signal });
    for (;;) {
      signal.throwIfAborted();
      starts += 1;
      try {
        return await start(server);
      } catch (error) {
        if (!killed.has(server.pid)) throw new Error(`${servers.get(server)} does not restart`, { cause: error });
      }
    }
  };
  const killAndRestart = (server: SupervisedServer, awayMs: number): boolean => {
    const { pid } = server;
    if (!isRunning(pid)) return false;
    killed.add(pid);
    process.kill(pid, 'SIGKILL');
    if (!restarting.has(server)) {
      const restarted = restart(server, awayMs)
        .catch((error: unknown) => signal.aborted || failure.reject(error))
        .then(() => void restarting.delete(server));
      restarting.set(server, restarted);
    }
    return true;
  };
  const settled = async (): Promise<void> => {
    while (restarting.size > 0) await Promise.all(restarting.values());
  };

  const watch = setInterval(() => {
    for (const [server, name] of servers) {
      if (restarting.has(server) || killed.has(server.pid) || isRunning(server.pid)) continue;
      failure.reject(new Error(`${name} exited unexpectedly`));
    }
  }, 500);
  const stopWatching = (): void => clearInterval(watch);
  signal.addEventListener('abort', stopWatching);
  return {
    kill: (server) => killAndRestart(server, 0),
    stopFor: async (server, ms) => {
      await restarting.get(server);
      killAndRestart(server, ms);
      await restarting.get(server);
    },
    settled,
    starts: () => starts,
    error: failure.promise,
    stopWatching,
  };
};
