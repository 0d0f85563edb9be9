import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { startSupervisedServer, type SupervisedServer } from './supervisedServer.ts';
import { testNodeOptions } from '../run/nodeOptions.ts';

/** A process of Hearth that tests may break. `restart` keeps its name and ports. */
export interface Replica extends SupervisedServer {
  readonly name: string;
  readonly metricsUrl: string;
  /** Returns the log lines of the process, including those before restarts. */
  log(): Promise<string[]>;
}

export interface ReplicaOptions {
  readonly name: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folder for the log, which is kept, and for temporary files, which are deleted when the process ends. */
  readonly directory: string;
  /** Returns true if the process is ready. Default: if it serves metrics. */
  readonly isReady?: () => Promise<boolean>;
  /** Node options. Default: `testNodeOptions`. Pass an empty list to measure memory. */
  readonly nodeOptions?: readonly string[];
}

/** Starts a process of Hearth and resolves when it is ready. */
export const startReplica = async ({
  name,
  program,
  env,
  directory,
  isReady,
  nodeOptions = testNodeOptions,
}: ReplicaOptions): Promise<Replica> => {
  const temporary = join(directory, `${name}-files`);
  await mkdir(temporary, { recursive: true });
  const metricsPort = await findFreePort();
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  const output = join(directory, `${name}.log`);
  const server = await startSupervisedServer({
    program: process.execPath,
    args: [...nodeOptions, program],
    env: { TMPDIR: temporary, HEARTH_METRICS_PORT: String(metricsPort), ...compileCache, ...env },
    directory: temporary,
    output,
    isReady: isReady ?? (() => isResponding(metricsUrl)),
  });
  return Object.assign(server, { name, metricsUrl, log: async () => (await readFile(output, 'utf8')).split('\n') });
};

/** Returns true if the URL responds with success. */
export const isResponding = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
