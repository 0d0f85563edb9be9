import type { TestContext } from 'node:test';
import { recordActs, type ActsLog, type Query } from '../run/actsLog.ts';
import { startInstallation, type Installation, type InstallationOptions } from '../servers/installation.ts';
import { createRunBackEnds } from './backEnds.ts';
import { openClient, type Client } from './client.ts';
import { makeFolder, removeUnlessFailed } from './folder.ts';
import { createUser } from './request.ts';

/** An installation on the back ends of this test run, with a record of which process wrote what. */
export interface RecordedInstallation extends Installation {
  readonly acts: ActsLog;
  readonly query: Query;
}

/** Variables of all processes. A function makes those that depend on the address of the database. */
type Variables = Readonly<Record<string, string>>;
type MakeVariables = Variables | ((databaseUrl: string) => Promise<Variables>);

/** Starts an installation on a database, a queue and an object store of its own. `stop` removes these, too. */
export const startRecordedInstallation = async ({
  env = {},
  ...options
}: Omit<InstallationOptions, 'databaseUrl' | 'env'> & {
  readonly env?: MakeVariables;
}): Promise<RecordedInstallation> => {
  const { database, query, variables: backEnds, remove } = await createRunBackEnds();
  try {
    const acts = await recordActs(query);
    const variables = typeof env === 'function' ? await env(database.url) : env;
    const installation = await startInstallation({
      ...options,
      databaseUrl: database.url,
      env: { ...backEnds, ...variables },
    });
    const stop = async (): Promise<void> => {
      await installation.stop();
      await remove();
    };
    return { ...installation, acts, query, stop };
  } catch (error) {
    await remove();
    throw error;
  }
};

/** An installation that lasts as long as its test. */
export interface TestInstallation extends RecordedInstallation {
  /** A client of a user without photos, through the balancer. */
  readonly client: Client;
}

/** Starts two processes of the API and three workers. A failed test keeps their logs. */
export const startTestInstallation = async (t: TestContext, env: MakeVariables = {}): Promise<TestInstallation> => {
  const directory = await makeFolder('faults');
  const common = { HEARTH_LEASE_SECONDS: '3', HEARTH_WORKER_CONCURRENCY: '1' };
  const starting = startRecordedInstallation({
    directory,
    env: async (databaseUrl) => ({ ...common, ...(typeof env === 'function' ? await env(databaseUrl) : env) }),
  });
  const over = new AbortController();
  t.after(async () => {
    over.abort();
    await (await starting.catch(() => undefined))?.stop();
    await removeUnlessFailed(t, directory);
  });
  const installation = await starting;
  const credentials = await createUser(installation.url, installation.admin);
  return { ...installation, client: openClient(installation.url, credentials, over.signal) };
};
