import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openClient, type Client } from './client.ts';
import { findCredentials, findFreePorts, startHearth, type Hearth, type HearthOptions } from './hearth.ts';
import { watchFamily, type ProcessFamily, type ProcessIdentity } from './processes.ts';

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
  const directory = await mkdtemp(join(tmpdir(), 'hearth-faults-'));
  const ports = await findFreePorts();
  const family = watchFamily();
  t.after(async () => {
    for (const member of family.living()) family.signal(member, 'SIGKILL');
    await family.waitForEnd(10_000);
    family.stopWatching();
    if (hasPassed(t)) await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    else t.diagnostic(`kept: ${directory}`);
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

/** Node knows it since 20.12, its types (24.19) do not. */
const hasPassed = (t: TestContext): boolean => (t as TestContext & { readonly passed: boolean }).passed;

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
  const client = openClient(hearth.url, findCredentials(hearth.output())!, over.signal);
  const worker = (): ProcessIdentity | undefined =>
    ground.family.living().find(({ command }) => command.includes('/services/worker/src/main.ts'));
  return { ...ground, hearth, client, worker };
};
