import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { startBalancer } from './balancer.ts';
import { placesFileVariable } from '../libraries/placesFile.ts';
import { isResponding, startReplica, type Replica } from './replica.ts';

const programs = {
  api: fileURLToPath(new URL('../../../api/src/main.ts', import.meta.url)),
  worker: fileURLToPath(new URL('../../../worker/src/main.ts', import.meta.url)),
};

export interface InstallationOptions {
  /** Existing folder for logs and temporary files and, without S3, photos. It is kept after the installation stops. */
  readonly directory: string;
  readonly databaseUrl: string;
  /** Further environment variables of all processes, for example for other back ends. */
  readonly env?: Readonly<Record<string, string>>;
  readonly apis?: number;
  readonly workers?: number;
}

/** An API process with its own URL. */
export interface ApiReplica extends Replica {
  readonly url: string;
}

/**
 * Hearth like on a cluster: several API processes behind a load balancer, and several workers, on existing back ends. All
 * processes end with this process in any case. Their `application_name` identifies them in the database.
 */
export interface Installation {
  /** URL of the load balancer. It skips dead and frozen processes. */
  readonly url: string;
  readonly admin: { readonly username: string; readonly password: string };
  readonly apis: readonly ApiReplica[];
  readonly workers: readonly Replica[];
  /** Kills all processes and deletes their temporary files. Logs and photos are kept. */
  stop(): Promise<void>;
}

const admin = { username: 'keeper', password: 'the-keepers-password' } as const;

/** Starts all processes and resolves when they are ready. */
export const startInstallation = async (options: InstallationOptions): Promise<Installation> => {
  const { directory, databaseUrl, apis: apiCount = 2, workers: workerCount = 3 } = options;
  const dataDirectory = join(directory, 'data');
  await mkdir(dataDirectory, { recursive: true });
  const makeEnv = (name: string): Record<string, string> => {
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
    const env = { ...makeEnv(name), HEARTH_PORT: String(port) };
    const replica = await startReplica({
      name,
      program: programs.api,
      env,
      directory,
      isReady: () => isResponding(`${url}/readyz`),
    });
    const { freeze, thaw } = replica;
    return Object.assign(replica, {
      url,
      freeze: async () => {
        balancer.remove(port);
        await freeze();
      },
      thaw: async () => {
        await thaw();
        balancer.add(port);
      },
    });
  };
  const startWorker = async (_: unknown, index: number): Promise<Replica> => {
    const name = `worker-${index + 1}`;
    return startReplica({ name, program: programs.worker, env: makeEnv(name), directory });
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
