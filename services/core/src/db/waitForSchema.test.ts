import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { createTestDatabase, queryOnce } from '@hearth/testkit/database/postgres.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { SchemaTooNewError, SchemaUnknownError } from './schemaErrors.ts';
import { waitForSchema } from './waitForSchema.ts';

const older = await mkdtemp(join(tmpdir(), 'hearth-schema-older-'));
const newer = await mkdtemp(join(tmpdir(), 'hearth-schema-newer-'));
after(async () => {
  for (const folder of [older, newer]) await rm(folder, { recursive: true });
});
await writeFile(join(older, '0001_albums.sql'), 'create table albums (id int);');
await writeFile(join(newer, '0001_albums.sql'), 'create table albums (id int);');
await writeFile(join(newer, '0002_photos.sql'), 'create table photos (id int);');

/** Creates an empty database behind a proxy, and a function that starts to wait for the schema of a folder. */
const openWaiting = async (t: TestContext) => {
  const database = await createTestDatabase();
  const proxy = await startTcpProxy();
  const db = openDatabase({ url: proxy.setTarget(database.url), maxConnections: 2, onError: () => undefined });
  t.after(async () => {
    await db.destroy();
    await proxy.cut();
    await database.drop();
  });
  const wait = (folder: string, signal = new AbortController().signal) => {
    const reported: string[] = [];
    const done = waitForSchema(db, {
      signal,
      onWaiting: (missing) => void reported.push(missing.join()),
      directory: folder,
    });
    // Prevents an unhandled rejection. Each test checks `done` itself.
    done.catch(() => undefined);
    const waitUntilReported = (missing: string) =>
      waitUntil(`“${missing}” is reported as missing`, () => reported.includes(missing));
    return { done, reported, waitUntilReported };
  };
  return { url: database.url, proxy, wait };
};

test('waits until the last migration of its version is applied', async (t) => {
  const { url, wait } = await openWaiting(t);
  const { done, reported, waitUntilReported } = wait(newer);
  await waitUntilReported('0001_albums,0002_photos');
  await migrate(url, older);
  // A new worker that starts while the old API still runs.
  const second = wait(newer);
  await second.waitUntilReported('0002_photos');
  await migrate(url, newer);
  await Promise.all([done, second.done]);
  assert.deepEqual(reported, [...new Set(reported)]);
});

test('waits for an unreachable database', async (t) => {
  const { url, proxy, wait } = await openWaiting(t);
  await migrate(url, newer);
  await proxy.cut();
  const { done, waitUntilReported } = wait(newer);
  await waitUntilReported('');
  await proxy.open();
  await done;
});

test('accepts a database of a newer version unless its migration is breaking', async (t) => {
  const { url, wait } = await openWaiting(t);
  await migrate(url, newer);
  await wait(older).done;
  await queryOnce(url, `insert into kysely_migration values ('0003_split.breaking', '2099-01-01T00:00:00.000Z')`);
  await assert.rejects(wait(older).done, SchemaTooNewError);
});

test('rejects a database of a different build', async (t) => {
  const { url, wait } = await openWaiting(t);
  await migrate(url, older);
  await queryOnce(url, `insert into kysely_migration values ('0002_people', '2099-01-01T00:00:00.000Z')`);
  await assert.rejects(wait(newer).done, SchemaUnknownError);
});

test("rejects a database whose migration has other content than the code's", async (t) => {
  const { url, wait } = await openWaiting(t);
  await migrate(url, newer);
  await queryOnce(url, `update applied_migrations set sha256 = 'another' where name = '0002_photos'`);
  await assert.rejects(wait(newer).done, SchemaUnknownError);
  await wait(older).done;
});

test('stops waiting when the signal aborts', async (t) => {
  const { wait } = await openWaiting(t);
  const controller = new AbortController();
  const { done, waitUntilReported } = wait(newer, controller.signal);
  await waitUntilReported('0001_albums,0002_photos');
  controller.abort();
  await assert.rejects(done, { name: 'AbortError' });
});
