import type { TestContext } from 'node:test';
import { openClient, type Client } from './client.ts';
import { makeFolder, removeUnlessFailed } from './folder.ts';
import { getCredentials, findFreePorts, startHearth, type Hearth, type HearthOptions } from './hearth.ts';
import { watchProcessTree, type ProcessTree, type ProcessIdentity } from './processTree.ts';

/** A folder for Hearth, with all processes that use it. After the test the processes are killed. */
export interface HearthSetup extends HearthOptions {
  readonly processes: ProcessTree;
  /** Starts Hearth and adds it to `processes`, without waiting until it is running. */
  start(env?: Readonly<Record<string, string>>): Hearth;
}

/** Prepares a folder, and deletes it after the test. After a failure it is kept with its logs, and its path is printed. */
export const prepareHearth = async (
  t: TestContext,
  env: Readonly<Record<string, string>> = {},
): Promise<HearthSetup> => {
  const directory = await makeFolder('faults');
  const ports = await findFreePorts();
  const processes = watchProcessTree();
  t.after(async () => {
    await processes.kill();
    await removeUnlessFailed(t, directory);
  });
  const options = { directory, ports, env };
  return {
    ...options,
    processes,
    start: (extraEnv = {}) => {
      const hearth = startHearth({ ...options, env: { ...env, ...extraEnv } });
      processes.adopt(hearth.pid);
      return hearth;
    },
  };
};

/** A running Hearth with a client of its first user. */
export interface TestHearth extends HearthSetup {
  readonly hearth: Hearth;
  readonly client: Client;
  /** Returns the current worker process. */
  worker(): ProcessIdentity | undefined;
}

/** Starts Hearth in a new folder, and resolves when it is running. */
export const startTestHearth = async (t: TestContext, env: Readonly<Record<string, string>>): Promise<TestHearth> => {
  const setup = await prepareHearth(t, env);
  const hearth = setup.start();
  await hearth.running;
  const testEnd = new AbortController();
  t.after(() => testEnd.abort());
  const client = openClient(hearth.url, getCredentials(hearth), testEnd.signal);
  const worker = (): ProcessIdentity | undefined =>
    setup.processes.living().find(({ command }) => command.includes('/services/worker/src/main.ts'));
  return { ...setup, hearth, client, worker };
};
