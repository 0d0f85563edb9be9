import type { TestContext } from 'node:test';
import { recordActs, type ActsLog, type Query } from '@hearth/core/testing/actsLog.ts';
import { startInstallation, type Installation } from '@hearth/core/testing/installation.ts';
import { createRunBackEnds } from './backEnds.ts';
import { openClient, type Client } from './client.ts';
import { createUser } from './request.ts';
import { makeTestFolder, removeUnlessFailed } from './testFolder.ts';

/** An installation of several processes, on the back ends of this test run, with a record of who wrote what. */
export interface TestInstallation extends Installation {
  readonly acts: ActsLog;
  /** A client of a user without photos, through the balancer. */
  readonly client: Client;
  readonly query: Query;
}

type Variables = Readonly<Record<string, string>>;

/**
 * Two processes of the API and three workers; after a failed test their logs are kept.
 * @param variables of all processes, by the address of their database where they depend on it
 */
export const startTestInstallation = async (
  t: TestContext,
  variables: Variables | ((databaseUrl: string) => Promise<Variables>) = {},
): Promise<TestInstallation> => {
  const directory = await makeTestFolder();
  const { database, query, variables: backEnds, remove } = await createRunBackEnds();
  const acts = await recordActs(query);
  const env = typeof variables === 'function' ? await variables(database.url) : variables;
  const starting = startInstallation({
    directory,
    databaseUrl: database.url,
    env: { HEARTH_LEASE_SECONDS: '3', HEARTH_WORKER_CONCURRENCY: '1', ...backEnds, ...env },
  });
  const over = new AbortController();
  t.after(async () => {
    over.abort();
    await (await starting.catch(() => undefined))?.stop();
    await remove();
    await removeUnlessFailed(t, directory);
  });
  const installation = await starting;
  const credentials = await createUser(installation.url, installation.admin);
  return { ...installation, acts, client: openClient(installation.url, credentials, over.signal), query };
};
