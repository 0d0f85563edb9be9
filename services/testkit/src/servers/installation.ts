import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { startBalancer } from './balancer.ts';
import { placesFileVariable } from '../libraries/placesFile.ts';
import { answers, startReplica, type Replica } from './replica.ts';

const programs = {
  api: fileURLToPath(new URL('../../../api/src/main.ts', import.meta.url)),
  worker: fileURLToPath(new URL('../../../worker/src/main.ts', import.meta.url)),
};

/** What an installation is made of. */
export interface InstallationOptions {
  /** An existing folder for logs and temporary files and, without S3, the photos; it stays when the installation has stopped. */
  readonly directory: string;
  readonly databaseUrl: string;
  /** Variables of all processes besides: which other back ends they use, for instance. */
  readonly env?: Readonly<Record<string, string>>;
  readonly apis?: number;
  readonly workers?: number;
}

/** One process of the API, at an address of its own. */
export interface ApiReplica extends Replica {
  readonly url: string;
}

/**
 * Hearth as it runs on a cluster: several processes of the API behind a balancer, and several workers, on back ends that are there
 * already. All of them go away when this process ends, however that is. In the database each is known by its `application_name`.
 */
export interface Installation {
  /** The balancer's address. It leaves out processes that are dead or frozen. */
  readonly url: string;
  readonly admin: { readonly username: string; readonly password: string };
  readonly apis: readonly ApiReplica[];
  readonly workers: readonly Replica[];
  /** Kills every process and removes what it had in hand; logs and photos stay. */
  stop(): Promise<void>;
}

const admin = { username: 'keeper', password: 'the-keepers-password' } as const;

/** Starts every process and resolves when all are ready. */
export const startInstallation = async (options: InstallationOptions): Promise<Installation> => {
  const { directory, databaseUrl, apis: apiCount = 2, workers: workerCount = 3 } = options;
  const dataDirectory = join(directory, 'data');
  await mkdir(dataDirectory, { recursive: true });
  const envOf = (name: string): Record<string, string> => {
    const url = new URL(databaseUrl);
    url.searchParams.set('application_name', name);
    return {
      HEARTH_DATABASE_URL: url.href,
      HEARTH_DATA_DIR: dataDirectory,
      HEARTH_ADMIN_USERNAME: admin.username,
      HEARTH_ADMIN_PASSWORD: admin.password,
      HEARTH_TOKEN_SECRET: 'a token secret for tests, long enough',
      HEARTH_LINK_SECRET: 'a link secret for tests, long enough too',
      HEARTH_WORKER_NAME: name,
      ...placesFileVariable(),
      ...options.env,
    };
  };
  const ports = await Promise.all(Array.from({ length: apiCount }, findFreePort));
  const balancer = await startBalancer(ports);
  const startApi = async (port: number, index: number): Promise<ApiReplica> => {
    const name = `api-${index + 1}`;
    const url = `http://127.0.0.1:${port}`;
    const env = { ...envOf(name), HEARTH_PORT: String(port) };
    const replica = await startReplica({
      name,
      program: programs.api,
      env,
      directory,
      isReady: () => answers(`${url}/readyz`),
    });
    const { freeze, thaw } = replica;
    return Object.assign(replica, {
      url,
      freeze: async () => {
        balancer.leaveOut(port);
        await freeze();
      },
      thaw: async () => {
        await thaw();
        balancer.takeIn(port);
      },
    });
  };
  const startWorker = async (_: unknown, index: number): Promise<Replica> => {
    const name = `worker-${index + 1}`;
    return startReplica({ name, program: programs.worker, env: envOf(name), directory });
  };
  const [apis, workers] = await Promise.all([
    Promise.all(ports.map(startApi)),
    Promise.all(Array.from({ length: workerCount }, startWorker)),
  ]);
  return {
    url: `http://127.0.0.1:${balancer.port}`,
    admin,
    apis,
    workers,
    stop: async () => {
      await Promise.all([balancer.close(), ...[...apis, ...workers].map((replica) => replica.stop())]);
    },
  };
};
