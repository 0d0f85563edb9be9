import type { TestContext } from 'node:test';
import { openClient, type Client } from './client.ts';
import { makeFolder, removeUnlessFailed } from './folder.ts';
import { credentialsOf, findFreePorts, startHearth, type Hearth, type HearthOptions } from './hearth.ts';
import { watchFamily, type ProcessFamily, type ProcessIdentity } from './processFamily.ts';

/** A folder for Hearth, and every process that is started on it; all of it goes away with the test. */
export interface TestGround extends HearthOptions {
  readonly family: ProcessFamily;
  /** Starts Hearth and counts it as family, without waiting until it runs. */
  start(env?: Readonly<Record<string, string>>): Hearth;
}

/** Prepares a folder; after a failed test its path is printed and it is kept, with the logs in it. */
export const prepareGround = async (
  t: TestContext,
  env: Readonly<Record<string, string>> = {},
): Promise<TestGround> => {
  const directory = await makeFolder('faults');
  const ports = await findFreePorts();
  const family = watchFamily();
  t.after(async () => {
    await family.kill();
    await removeUnlessFailed(t, directory);
  });
  const options = { directory, ports, env };
  return {
    ...options,
    family,
    start: (more = {}) => {
      const hearth = startHearth({ ...options, env: { ...env, ...more } });
      family.adopt(hearth.pid);
      return hearth;
    },
  };
};

/** A running Hearth with a client of its first user. */
export interface TestHearth extends TestGround {
  readonly hearth: Hearth;
  readonly client: Client;
  /** The worker that runs now. */
  worker(): ProcessIdentity | undefined;
}

/** Starts Hearth on a ground of its own, and resolves when it runs. */
export const startTestHearth = async (t: TestContext, env: Readonly<Record<string, string>>): Promise<TestHearth> => {
  const ground = await prepareGround(t, env);
  const hearth = ground.start();
  await hearth.running;
  const over = new AbortController();
  t.after(() => over.abort());
  const client = openClient(hearth.url, credentialsOf(hearth), over.signal);
  const worker = (): ProcessIdentity | undefined =>
    ground.family.living().find(({ command }) => command.includes('/services/worker/src/main.ts'));
  return { ...ground, hearth, client, worker };
};
