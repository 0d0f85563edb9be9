import type { Query } from '@hearth/testkit/run/actsLog.ts';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { isRunning } from '@hearth/testkit/hearth/processTree.ts';
import type { Credentials } from '@hearth/testkit/hearth/request.ts';
import { startRecordedInstallation } from '@hearth/testkit/hearth/testInstallation.ts';

/** An API process and a worker process on their own database, queue and object store. */
export interface FuzzedInstallation {
  readonly url: string;
  /** Removed by `stop`. */
  readonly directory: string;
  readonly query: Query;
  readonly admin: Credentials;
  /** Names a process that has exited. Returns undefined while both run. */
  findDeadReplica(): string | undefined;
  /** The last log lines of both processes. */
  lastLines(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Starts the real processes and resolves when both are ready. */
export const startFuzzedInstallation = async (): Promise<FuzzedInstallation> => {
  const directory = await makeFolder('fuzz');
  const { admin, query, apis, workers, stop } = await startRecordedInstallation({
    directory,
    apis: 1,
    workers: 1,
    env: {
      HEARTH_LOG_LEVEL: 'error',
      HEARTH_TRUSTED_PROXIES: 'loopback',
      HEARTH_MAX_UPLOAD_BYTES: '1000000',
      HEARTH_DECODE_TIMEOUT_SECONDS: '10',
      HEARTH_WORKER_CONCURRENCY: '2',
    },
  });
  const replicas = [...apis, ...workers];
  return {
    // Not the balancer's address, which might refuse bytes that are not HTTP.
    url: apis[0]!.url,
    directory,
    query,
    admin,
    findDeadReplica: () => {
      const deadReplica = replicas.find(({ pid }) => !isRunning(pid));
      return deadReplica && `${deadReplica.name} has ended`;
    },
    lastLines: async () => (await Promise.all(replicas.map(async ({ log }) => (await log()).slice(-10)))).flat(),
    stop: async () => {
      await stop();
      await removeFolder(directory);
    },
  };
};
