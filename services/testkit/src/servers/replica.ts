import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { startKeptServer, type KeptServer } from './keptServer.ts';
import { nodeOptionsOfTests } from '../run/nodeOptions.ts';

/** One process of Hearth that a test may break in every way; it comes back, by `restart`, under the same name and ports. */
export interface Replica extends KeptServer {
  readonly name: string;
  readonly metricsUrl: string;
  /** The lines that the process has logged, before restarts too. */
  log(): Promise<string[]>;
}

/** How a process of Hearth is run. */
export interface ReplicaOptions {
  readonly name: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder for the log of the process, which stays, and its temporary files, which are removed with it. */
  readonly directory: string;
  /** Whether the process is ready; if undefined, whether it serves metrics. */
  readonly isReady?: () => Promise<boolean>;
  /** What Node is told, where that is not what tests tell it: whoever measures memory tells it nothing. */
  readonly nodeOptions?: readonly string[];
}

/** Starts a process of Hearth and resolves when it is ready. */
export const startReplica = async ({
  name,
  program,
  env,
  directory,
  isReady,
  nodeOptions = nodeOptionsOfTests,
}: ReplicaOptions): Promise<Replica> => {
  const temporary = join(directory, `${name}-files`);
  await mkdir(temporary, { recursive: true });
  const metricsPort = await findFreePort();
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  const output = join(directory, `${name}.log`);
  const server = await startKeptServer({
    program: process.execPath,
    args: [...nodeOptions, program],
    env: { TMPDIR: temporary, HEARTH_METRICS_PORT: String(metricsPort), ...compileCache, ...env },
    directory: temporary,
    output,
    isReady: isReady ?? (() => answers(metricsUrl)),
  });
  return Object.assign(server, { name, metricsUrl, log: async () => (await readFile(output, 'utf8')).split('\n') });
};

/** Whether a server answers with success. */
export const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
