import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestBackEnds } from '@hearth/testkit/run/backEnds.ts';
import { headlessOptions } from '@hearth/testkit/servers/chromium.ts';
import { startInstallation, type ApiReplica } from '@hearth/testkit/servers/installation.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import { chromium } from 'playwright-core';
import { createTestUser, type TestUser } from './testUser.ts';
import { openBrowserSession, type BrowserSession, type BrowserSessionOptions } from './browserSession.ts';

/** Hearth with a worker and the built web app, and a Chromium. */
export interface TestContext {
  readonly url: string;
  readonly api: ApiReplica;
  readonly admin: { readonly username: string; readonly password: string };
  /** For data that only components write. */
  readonly db: Database;
  readonly databaseUrl: string;
  /** Data folder; only used with the embedded back ends. */
  readonly dataDirectory: string;
  createUser(username?: string, name?: string): Promise<TestUser>;
  /** Opens a browser context without cookies or storage. */
  openSession(options?: BrowserSessionOptions): Promise<BrowserSession>;
  close(): Promise<void>;
}

export interface TestContextOptions {
  /** Without a worker, uploads are never processed. */
  readonly workers?: 0 | 1;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts everything with a new database and folder. */
export const startTestContext = async ({ workers = 1, env }: TestContextOptions = {}): Promise<TestContext> => {
  const closing = new AsyncDisposableStack();
  try {
    const directory = await mkdtemp(join(tmpdir(), 'hearth-e2e-'));
    closing.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
    const database = await createMigratedDatabase({ maxConnections: 1 });
    closing.defer(() => database.drop());
    const backEnds = await createTestBackEnds();
    closing.defer(() => backEnds.remove());
    const installation = await startInstallation({
      directory,
      databaseUrl: database.url,
      env: { ...backEnds.variables, HEARTH_WORKER_CONCURRENCY: '1', ...env },
      apis: 1,
      workers,
    });
    closing.defer(() => installation.stop());
    const browser = await chromium.launch({ executablePath: toolPath('chromium'), args: [...headlessOptions] });
    closing.defer(() => browser.close());
    const { url, admin } = installation;
    return {
      url,
      admin,
      db: database.db,
      databaseUrl: database.url,
      dataDirectory: join(directory, 'data'),
      api: installation.apis[0]!,
      createUser: (username, name) => createTestUser(url, admin, username, name),
      openSession: async (options) => {
        const session = await openBrowserSession(browser, options?.url ?? url, options);
        closing.defer(() => session.printIfFailed());
        return session;
      },
      close: () => closing.disposeAsync(),
    };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
};
