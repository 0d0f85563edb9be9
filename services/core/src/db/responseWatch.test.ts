import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { isDatabaseUnavailable, openDatabase, pingDatabase, transaction } from './database.ts';

const direct = await createMigratedDatabase({ maxConnections: 2 });
const proxy = await startTcpProxy();
const db = openDatabase({ url: proxy.setTarget(direct.url), maxConnections: 3, onError: () => undefined });
/** A client whose probes wait long, so that a busy machine does not look unavailable. */
const patient = openDatabase({
  url: proxy.setTarget(direct.url),
  maxConnections: 3,
  onError: () => undefined,
  probeMs: 60_000,
});
after(async () => {
  await db.destroy();
  await proxy.cut();
  await direct.drop();
});

/** Freezes the connections to the server while `work` runs. */
const whileFrozen = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  proxy.freeze();
  try {
    return await work();
  } finally {
    proxy.thaw();
  }
};

const getError = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail('nothing failed'),
    (error: unknown) => error,
  );

const waitUntilDisconnected = (): Promise<void> => waitUntil('all clients are disconnected', () => proxy.count() === 0);

test('waits for a slow query while the server responds to probes', async () => {
  const { rows } = await sql<{ n: number }>`select 1 as n from pg_sleep(4)`.execute(patient);
  assert.deepEqual(rows, [{ n: 1 }]);
});

test('waits for a connection that others hold while the server responds to probes', async () => {
  const keeping = Array.from({ length: 3 }, () => sql`select pg_sleep(4)`.execute(patient));
  const { rows } = await sql<{ n: number }>`select 1 as n`.execute(patient);
  assert.deepEqual(rows, [{ n: 1 }]);
  await Promise.all(keeping);
  await patient.destroy();
});

test('fails every query as unavailable while the server is frozen: on old and new connections, and in transactions', async () => {
  await pingDatabase(db);
  await whileFrozen(async () => {
    const errors = await Promise.all([
      getError(sql`select 1`.execute(db)),
      getError(transaction(db, async (trx) => buildUser(trx))),
      ...Array.from({ length: 8 }, async () => getError(sql`select 1`.execute(db))),
    ]);
    for (const error of errors) assert.ok(isDatabaseUnavailable(error), String(error));
  });
});

test('fails a transaction if the server freezes in it, and does not commit it when the server resumes', async () => {
  let id = '';
  const failing = transaction(db, async (trx) => {
    id = (await buildUser(trx)).id;
    proxy.freeze();
    await sql`select 1`.execute(trx);
  });
  assert.ok(isDatabaseUnavailable(await getError(failing)));
  proxy.thaw();
  const { rows } = await sql`select from users where id = ${id}`.execute(direct.db);
  assert.equal(rows.length, 0);
});

test('does not resend a query that failed on a frozen server', async () => {
  await sql`create table requests (at timestamptz not null default clock_timestamp())`.execute(direct.db);
  await pingDatabase(db);
  const failing = whileFrozen(() => getError(sql`insert into requests default values`.execute(db)));
  assert.ok(isDatabaseUnavailable(await failing));
  await pingDatabase(db);
  await waitUntil('the server has nothing left to do', async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(direct.db);
    return rows.length === 0;
  });
  const { rows } = await sql<{ n: number }>`select count(*) as n from requests`.execute(direct.db);
  assert.ok(rows[0]!.n <= 1, 'the server may execute it after the thaw, but only once');
});

test('recovers after each freeze without losing a connection of the pool', async () => {
  for (let round = 0; round < 3; round++) {
    await whileFrozen(() => Promise.all(Array.from({ length: 5 }, () => getError(sql`select 1`.execute(db)))));
    // One query per connection of the pool, at the same time.
    await Promise.all(Array.from({ length: 3 }, () => sql`select pg_sleep(0.2)`.execute(db)));
  }
  await db.destroy();
  await waitUntilDisconnected();
});

test('fails a query on a single dead connection once the statement timeout has passed', async () => {
  const ownDb = openDatabase({
    url: proxy.setTarget(direct.url),
    maxConnections: 1,
    onError: () => undefined,
    statementTimeoutMs: 500,
  });
  await pingDatabase(ownDb);
  proxy.freezeOpen();
  assert.ok(isDatabaseUnavailable(await getError(sql`select 1`.execute(ownDb))));
  await pingDatabase(ownDb);
  proxy.thaw();
  await ownDb.destroy();
});
