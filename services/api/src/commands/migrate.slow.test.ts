import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { createTestDatabase, queryOnce } from '@hearth/testkit/database/postgres.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';

const createDatabase = async (t: TestContext): Promise<string> => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  return database.url;
};

const start = (variables: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'migrate.ts')], {
    env: { ...compileCache, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, exited: once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]> };
};

test('migrates the database and exits, and finds nothing to do the second time', async (t) => {
  const url = await createDatabase(t);
  for (const expected of [/applied database migrations/, /no pending database migrations/]) {
    const { child, exited } = start({ HEARTH_DATABASE_URL: url });
    const [printed, exit] = await Promise.all([text(child.stdout), exited]);
    assert.deepEqual(exit, [0, null]);
    assert.match(printed, expected);
  }
  assert.deepEqual(await queryOnce(url, `select to_regclass('media_items') is not null as there`), [{ there: true }]);
});

test('waits for an unreachable database, and exits on a signal', async (t) => {
  const proxy = await startTcpProxy();
  const url = proxy.setTarget(await createDatabase(t));
  await proxy.cut();
  for (const isBack of [false, true]) {
    const { child, exited } = start({ HEARTH_DATABASE_URL: url });
    for await (const line of createInterface({ input: child.stdout })) if (line.includes('failed, retrying')) break;
    child.stdout.resume();
    if (isBack) await proxy.open();
    else child.kill('SIGTERM');
    assert.deepEqual(await exited, [isBack ? 0 : 1, null]);
  }
  await proxy.cut();
});

test('rejects a database of a newer, incompatible version and names its migration', async (t) => {
  const url = await createDatabase(t);
  const first = start({ HEARTH_DATABASE_URL: url });
  assert.deepEqual(await first.exited, [0, null]);
  await queryOnce(url, `insert into kysely_migration values ('9999_split.breaking', '2099-01-01T00:00:00.000Z')`);
  const { child, exited } = start({ HEARTH_DATABASE_URL: url });
  const [printed, exit] = await Promise.all([text(child.stdout), exited]);
  assert.deepEqual(exit, [1, null]);
  assert.match(printed, /newer version of Hearth \(9999_split\.breaking\)/);
});

test('rejects a configuration without a database', async () => {
  const { child, exited } = start({});
  const [printed, exit] = await Promise.all([text(child.stderr), exited]);
  assert.deepEqual(exit, [78, null]);
  assert.match(printed, /HEARTH_DATABASE_URL/);
});
