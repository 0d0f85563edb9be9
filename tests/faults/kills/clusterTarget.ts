import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '@hearth/core/log/log.ts';
import { openQueues } from '@hearth/core/queue/openQueues.ts';
import { recordActs } from '@hearth/testkit/run/actsLog.ts';
import { emptyQueue } from '@hearth/testkit/servers/emptyQueue.ts';
import { startInstallation, type Installation } from '@hearth/testkit/servers/installation.ts';
import type { SupervisedServer } from '@hearth/testkit/servers/supervisedServer.ts';
import { listBucket } from '@hearth/testkit/servers/listBucket.ts';
import type { Replica } from '@hearth/testkit/servers/replica.ts';
import { bucket, startBackEnds } from '@hearth/testkit/hearth/backEnds.ts';
import { listFolders } from '@hearth/testkit/hearth/dataFolder.ts';
import { isRunning, type ProcessTree } from '@hearth/testkit/hearth/processTree.ts';
import { createUser } from '@hearth/testkit/hearth/request.ts';
import { twoDaysAhead, type DrillTarget, type Victim } from './drillTarget.ts';
import { openRestarter } from './restarter.ts';

const apiCount = 2;
const workerCount = 3;

/**
 * Starts PostgreSQL, Redis without persistence, an S3 server, two API processes behind a load balancer, and three
 * workers with concurrency 1. Resolves when everything is running. Killed processes are restarted on the same data.
 * Only Hearth's own processes are added to `processes`.
 */
export const startClusterTarget = async (
  directory: string,
  processes: ProcessTree,
  signal: AbortSignal,
): Promise<DrillTarget> => {
  const servers = await startBackEnds({ redisArgs: ['--appendonly', 'no'] });
  const { databaseUrl, query, redis, s3 } = servers;
  const [{ data_directory: databaseDirectory } = { data_directory: '' }] = await query<{ data_directory: string }>(
    'show data_directory',
  );
  const start = async (env: Readonly<Record<string, string>> = {}): Promise<Installation> => {
    const installation = await startInstallation({
      directory,
      databaseUrl,
      apis: apiCount,
      workers: workerCount,
      env: {
        ...servers.variables,
        HEARTH_LEASE_SECONDS: '5',
        HEARTH_WORKER_CONCURRENCY: '1',
        HEARTH_LOG_LEVEL: 'warn',
        ...env,
      },
    });
    for (const { pid } of listReplicas(installation)) processes.adopt(pid);
    return installation;
  };
  let now = await start();
  const acts = await recordActs(query);
  const credentials = await createUser(now.url, now.admin);
  const watched = new Map<SupervisedServer, string>(listReplicas(now).map((replica) => [replica, replica.name]));
  watched.set(redis, 'Redis').set(s3, 'S3 server');
  const restarter = openRestarter(
    watched,
    (server, pid) => server === redis || server === s3 || processes.adopt(pid),
    signal,
  );

  let isStoreDown = false;
  let nextIndex = 0;
  /** Kills the next running replica in turn. */
  const killNextOf = (replicas: readonly SupervisedServer[]): boolean => {
    nextIndex += 1;
    return replicas.some((_, index) => restarter.kill(replicas[(nextIndex + index) % replicas.length]!));
  };
  /** Returns the workers with an active run, or all workers if none has one. */
  const findBusyWorkers = async (): Promise<readonly Replica[]> => {
    const claims = await query<{ who: string }>(
      `select distinct on (subject) who from acts join component_runs on subject = media_item_id || ' ' || component
      where what = 'claim' and state = 'RUNNING' order by subject, id desc`,
    ).catch(() => []);
    const busy = now.workers.filter(({ name }) => claims.some(({ who }) => who === name));
    return busy.length > 0 ? busy : now.workers;
  };
  const killDecoder = async (): Promise<boolean> => {
    const workers = (await findBusyWorkers()).flatMap(({ pid }) => processes.find(pid) ?? []);
    const decoders = workers.flatMap((worker) => processes.listChildren(worker).filter(isDecoder));
    nextIndex += 1;
    return decoders.length > 0 && processes.signal(decoders[nextIndex % decoders.length]!, 'SIGKILL');
  };
  /** The server's supervisor restarts it. */
  const killDatabase = async (): Promise<boolean> => {
    const postmasterFile = await readFile(join(databaseDirectory, 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(postmasterFile.split('\n')[0]);
    return isRunning(pid) && process.kill(pid, 'SIGKILL');
  };
  const kill: Readonly<Record<Victim, () => boolean | Promise<boolean>>> = {
    api: () => killNextOf(now.apis),
    worker: async () => killNextOf(await findBusyWorkers()),
    decoder: killDecoder,
    database: killDatabase,
    redis: () => restarter.kill(redis),
    s3: () => !isStoreDown && restarter.kill(s3),
  };
  const backEnds = { databaseUrl, redisUrl: redis.url };

  return {
    url: now.url,
    credentials,
    victims: ['api', 'worker', 'decoder', 'database', 'redis', 's3'],
    concurrency: workerCount,
    query,
    acts,
    starts: () => apiCount + workerCount + restarter.starts(),
    error: restarter.error,
    kill: async (victim) => kill[victim](),
    emptyQueue: () => emptyQueue(backEnds),
    countJobs: async () => {
      const queues = await openQueues({ ...backEnds, databaseDirectUrl: undefined }, createLog('drill', 'error'));
      try {
        return await queues.depth('media');
      } finally {
        await queues.close();
      }
    },
    stopStore: async (ms) => {
      isStoreDown = true;
      const downAt = performance.now();
      await restarter.stopFor(s3, ms);
      const downMs = performance.now() - downAt;
      await s3.freeze();
      await sleep(ms / 10);
      await s3.thaw();
      isStoreDown = false;
      return downMs;
    },
    listStored: () => listBucket(s3, bucket),
    metricsUrls: () => listReplicas(now).map(({ metricsUrl }) => metricsUrl),
    running: () => restarter.settled(),
    stop: async () => {
      restarter.stopWatching();
      for (const { name, end } of listReplicas(now)) {
        const exit = await end();
        if (exit !== '0') throw new Error(`${name} exited with ${exit} after SIGTERM: see its log in ${directory}`);
      }
    },
    restartInTwoDays: async () => {
      await now.stop();
      now = await start(twoDaysAhead);
    },
    findLeftovers: async () => {
      const folders = listReplicas(now).map(({ name }) => join(directory, `${name}-files`));
      folders.push(join(directory, 'data', 'scratch'));
      return listFolders(folders);
    },
    end: async () => {
      await Promise.all([now.stop(), servers.stop()]);
    },
  };
};

const listReplicas = ({ apis, workers }: Installation) => [...apis, ...workers];

const isDecoder = ({ command }: { readonly command: string }): boolean => command.includes('decoderChild');
