import { createLog } from '@hearth/core/log/log.ts';
import { openPostgresQueues } from '@hearth/core/queue/postgresQueues.ts';
import { recordActs } from '@hearth/testkit/run/actsLog.ts';
import { emptyQueue } from '@hearth/testkit/servers/emptyQueue.ts';
import { findTemporaryFiles, listFiles } from '@hearth/testkit/hearth/dataFolder.ts';
import { readDatabaseUrl, findPostmasterPid, queryEmbedded } from '@hearth/testkit/hearth/embeddedDatabase.ts';
import {
  getCredentials,
  describeExit,
  findFreePorts,
  startHearth,
  type Hearth,
  type HearthOptions,
} from '@hearth/testkit/hearth/hearth.ts';
import type { ProcessTree, ProcessIdentity } from '@hearth/testkit/hearth/processTree.ts';
import { twoDaysAhead, type DrillTarget, type Victim } from './drillTarget.ts';

/** Items that the worker processes at once. */
const concurrency = 2;

/**
 * Starts Hearth like `npm start` and resolves when it is running. Restarts the main process on the same data after each
 * kill; it restarts all others itself. Nothing is restarted once `signal` is aborted.
 */
export const startEmbeddedTarget = async (
  directory: string,
  processes: ProcessTree,
  signal: AbortSignal,
): Promise<DrillTarget> => {
  const options: HearthOptions = {
    directory,
    ports: await findFreePorts(),
    env: { HEARTH_LEASE_SECONDS: '5', HEARTH_WORKER_CONCURRENCY: String(concurrency) },
  };
  /** Processes that may exit with an error: killed, or without a database because it was killed during their start. */
  const killed = new Set<string>();
  const started = new Set<string>();
  let isStopping = false;
  let starts = 0;
  const start = (env = {}): { readonly hearth: Hearth; readonly api: ProcessIdentity } => {
    starts += 1;
    const hearth = startHearth({ ...options, env: { ...options.env, ...env } });
    const api = processes.adopt(hearth.pid);
    void hearth.running.then(() => started.add(toKey(api)), alwaysFalse);
    return { hearth, api };
  };
  let now = start();
  await now.hearth.running;
  const credentials = getCredentials(now.hearth);
  const query = queryEmbedded(directory);

  const keepRunning = async (): Promise<never> => {
    for (;;) {
      const ending = await now.hearth.ended;
      if (isStopping) return await new Promise<never>(() => undefined);
      signal.throwIfAborted();
      if (!killed.has(toKey(now.api))) {
        throw new Error(`Hearth exited unexpectedly (${describeExit(ending)}):\n${now.hearth.output()}`);
      }
      now = start();
    }
  };
  const error = keepRunning();
  error.catch(() => undefined);

  const find = async (victim: Victim): Promise<ProcessIdentity | undefined> => {
    if (victim === 'api') return now.api;
    if (victim === 'database') return processes.find((await findPostmasterPid(options.directory)) ?? 0);
    const workers = processes
      .listChildren(now.api)
      .filter(({ command }) => command.includes('/services/worker/src/main.ts'));
    if (victim === 'worker') return workers[0];
    return workers
      .flatMap((worker) => processes.listChildren(worker))
      .find(({ command }) => command.includes('decoderChild'));
  };

  /** Resolves when the current process is running, after any number of restarts. */
  const running = async (): Promise<void> => {
    for (;;) {
      const { hearth } = now;
      const isRunning = await Promise.race([hearth.running.then(alwaysTrue, alwaysFalse), error]);
      if (isRunning && hearth === now.hearth) return;
      // It was killed during its start. The next start follows once it has exited.
      await hearth.ended;
    }
  };

  return {
    url: now.hearth.url,
    credentials,
    victims: ['api', 'worker', 'decoder', 'database'],
    concurrency,
    query,
    acts: await recordActs(query),
    starts: () => starts,
    error,
    kill: async (victim) => {
      const found = await find(victim);
      if (found === undefined) return false;
      const isStarting = !started.has(toKey(now.api));
      if (victim === 'api' || (victim === 'database' && isStarting)) killed.add(toKey(now.api));
      return processes.signal(found, 'SIGKILL');
    },
    emptyQueue: async () => emptyQueue({ databaseUrl: await readDatabaseUrl(directory) }),
    countJobs: async () => {
      const queues = openPostgresQueues({
        connectionString: await readDatabaseUrl(directory),
        log: createLog('drill', 'error'),
      });
      try {
        return await queues.depth('media');
      } finally {
        await queues.close();
      }
    },
    stopStore: undefined,
    listStored: () => listFiles(directory),
    metricsUrls: () =>
      [options.ports.metrics, options.ports.metrics + 1].map((port) => `http://127.0.0.1:${port}/metrics`),
    running,
    stop: async () => {
      isStopping = true;
      processes.signal(now.api, 'SIGTERM');
      const ending = await now.hearth.ended;
      if (ending.code !== 0) {
        throw new Error(`after SIGTERM, Hearth exited with ${describeExit(ending)}:\n${now.hearth.output()}`);
      }
    },
    restartInTwoDays: async () => {
      now = start(twoDaysAhead);
      await now.hearth.running;
    },
    end: async () => undefined,
    findLeftovers: () => findTemporaryFiles(directory),
  };
};

const alwaysTrue = (): boolean => true;
const alwaysFalse = (): boolean => false;

const toKey = ({ pid, startedAt }: ProcessIdentity): string => `${pid} ${startedAt}`;
