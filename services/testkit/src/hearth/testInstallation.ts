import type { TestContext } from 'node:test';
import { recordActs, type ActsLog, type Query } from '../run/actsLog.ts';
import { startInstallation, type Installation, type InstallationOptions } from '../servers/installation.ts';
import { createRunBackEnds } from './backEnds.ts';
import { openClient, type Client } from './client.ts';
import { makeFolder, removeUnlessFailed } from './folder.ts';
import { createUser } from './request.ts';

/** An installation on the back ends of this test run, with a log of the writes of each process. */
export interface RecordedInstallation extends Installation {
  readonly acts: ActsLog;
  readonly query: Query;
}

/** Environment variables of all processes, or a function if they depend on the database URL. */
type Variables = Readonly<Record<string, string>>;
type VariablesSource = Variables | ((databaseUrl: string) => Promise<Variables>);

/** Starts an installation with its own database, queue and object store. `stop` also removes these. */
export const startRecordedInstallation = async ({
  env = {},
  ...options
}: Omit<InstallationOptions, 'databaseUrl' | 'env'> & {
  readonly env?: VariablesSource;
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

/** An installation for the duration of a test. */
export interface TestInstallation extends RecordedInstallation {
  /** A client of a user without photos, through the load balancer. */
  readonly client: Client;
}

/** Starts two API processes and three workers. A failed test keeps their logs. */
export const startTestInstallation = async (t: TestContext, env: VariablesSource = {}): Promise<TestInstallation> => {
  const directory = await makeFolder('faults');
  const common = { HEARTH_LEASE_SECONDS: '3', HEARTH_WORKER_CONCURRENCY: '1' };
  const starting = startRecordedInstallation({
    directory,
    env: async (databaseUrl) => ({ ...common, ...(typeof env === 'function' ? await env(databaseUrl) : env) }),
  });
  const testEnd = new AbortController();
  t.after(async () => {
    testEnd.abort();
    await (await starting.catch(() => undefined))?.stop();
    await removeUnlessFailed(t, directory);
  });
  const installation = await starting;
  const credentials = await createUser(installation.url, installation.admin);
  return { ...installation, client: openClient(installation.url, credentials, testEnd.signal) };
};
