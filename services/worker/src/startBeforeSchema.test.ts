import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { migrate } from '@hearth/core/db/migrate.ts';
import { placesFileVariable } from '@hearth/testkit/libraries/placesFile.ts';
import { createTestDatabase, queryOnce } from '@hearth/testkit/database/postgres.ts';

/**
 * Prepares a worker on a database without tables. `waitForLog` resolves with the log line that contains the text, or undefined at the end of the log.
 */
const startWorker = async (t: TestContext) => {
  const database = await createTestDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'hearth-worker-schema-test-'));
  const start = () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: {
        HEARTH_DATABASE_URL: database.url,
        HEARTH_DATA_DIR: directory,
        HEARTH_METRICS_PORT: '0',
        ...placesFileVariable(),
        ...compileCache,
        PATH: '/usr/local/bin:/usr/bin:/bin',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const waitForLog = async (text: string): Promise<string | undefined> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) return undefined;
        if (value.includes(text)) return value;
      }
    };
    return { child, waitForLog, exited: once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]> };
  };
  t.after(async () => {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });
  return { url: database.url, start };
};

test('starts working when the database is migrated after its start', async (t) => {
  const { url, start } = await startWorker(t);
  const { child, waitForLog, exited } = start();
  assert.ok(await waitForLog('waiting for the API to migrate the database'));
  await migrate(url);
  assert.ok(await waitForLog('worker started'));
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
});

test('exits on SIGTERM while it waits for the database', async (t) => {
  const { child, waitForLog, exited } = (await startWorker(t)).start();
  assert.ok(await waitForLog('waiting for'));
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
});

test('exits with an error if the database belongs to a newer version', async (t) => {
  const { url, start } = await startWorker(t);
  await migrate(url);
  await queryOnce(url, `insert into kysely_migration values ('9999_split.breaking', '2099-01-01T00:00:00.000Z')`);
  const { waitForLog, exited } = start();
  assert.match((await waitForLog('cannot use this database')) ?? '', /9999_split\.breaking/);
  assert.deepEqual(await exited, [1, null]);
});
