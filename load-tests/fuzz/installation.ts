import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Query } from '@hearth/core/testing/actsLog.ts';
import { startInstallation } from '@hearth/core/testing/installation.ts';
import { createRunBackEnds } from '../harness/backEnds.ts';
import { isThere } from '../harness/processFamily.ts';
import type { Credentials } from '../harness/request.ts';

/** An API process and a worker process on a database, a queue and an object store of their own. */
export interface FuzzedInstallation {
  readonly url: string;
  readonly query: Query;
  readonly admin: Credentials;
  /** What ended that should not have; undefined while both run. */
  died(): string | undefined;
  /** The last lines that the processes have logged. */
  lastLines(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Starts the real processes and resolves when both are ready. */
export const startFuzzedInstallation = async (): Promise<FuzzedInstallation> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-fuzz-'));
  const { database, query, variables, remove } = await createRunBackEnds();
  const installation = await startInstallation({
    directory,
    databaseUrl: database.url,
    apis: 1,
    workers: 1,
    env: {
      HEARTH_LOG_LEVEL: 'error',
      HEARTH_TRUSTED_PROXIES: 'loopback',
      HEARTH_MAX_UPLOAD_BYTES: '1000000',
      HEARTH_DECODE_TIMEOUT_SECONDS: '10',
      HEARTH_WORKER_CONCURRENCY: '2',
      ...variables,
    },
  });
  const { admin, apis, workers } = installation;
  const replicas = [...apis, ...workers];
  return {
    // Past the balancer, which might mind what is no HTTP.
    url: apis[0]!.url,
    query,
    admin,
    died: () => {
      const dead = replicas.find(({ pid }) => !isThere(pid));
      return dead && `${dead.name} has ended`;
    },
    lastLines: async () => (await Promise.all(replicas.map(async ({ log }) => (await log()).slice(-10)))).flat(),
    stop: async () => {
      await installation.stop();
      await remove();
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};
