import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordActs, type ActsLog, type Query } from '@hearth/core/testing/actsLog.ts';
import { createTestBackEnds } from '@hearth/core/testing/backEnds.ts';
import { startInstallation, type Installation } from '@hearth/core/testing/installation.ts';
import { createMigratedDatabase } from '@hearth/core/testing/migratedDatabase.ts';
import { queryOnce } from '@hearth/core/testing/postgres.ts';
import { openClient, type Client } from './client.ts';
import { createUser } from './createUser.ts';

/** An installation of several processes, on the back ends of this test run, with a record of who wrote what. */
export interface TestInstallation extends Installation {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
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
  const directory = await mkdtemp(join(tmpdir(), 'hearth-replicas-'));
  const database = await createMigratedDatabase();
  const backEnds = await createTestBackEnds();
  const query: Query = (statement, values) => queryOnce(database.url, statement, values);
  const acts = await recordActs(query);
  const env = typeof variables === 'function' ? await variables(database.url) : variables;
  const starting = startInstallation({
    directory,
    databaseUrl: database.url,
    env: { HEARTH_LEASE_SECONDS: '3', HEARTH_WORKER_CONCURRENCY: '1', ...backEnds.variables, ...env },
  });
  const over = new AbortController();
  t.after(async () => {
    over.abort();
    await (await starting.catch(() => undefined))?.stop();
    await database.drop();
    await backEnds.remove();
    if (hasPassed(t)) await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    else t.diagnostic(`kept: ${directory}`);
  });
  const installation = await starting;
  const credentials = await createUser(installation.url, installation.admin);
  return {
    ...installation,
    databaseUrl: database.url,
    redisUrl: backEnds.variables['HEARTH_REDIS_URL'],
    acts,
    client: openClient(installation.url, credentials, over.signal),
    query,
  };
};

/** Node knows it since 20.12, its types (24.19) do not. */
const hasPassed = (t: TestContext): boolean => (t as TestContext & { readonly passed: boolean }).passed;

/** Resolves when it is so. @throws after two minutes in which it was not */
export const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const giveUpAt = Date.now() + 120_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < giveUpAt, `not within two minutes: ${what}`);
    await sleep(100);
  }
};
