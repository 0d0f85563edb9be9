import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { UnavailableError } from '../log/errors.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import {
  asDatabaseError,
  isDatabaseUnavailable,
  openDatabase,
  pingDatabase,
  transaction,
  type Database,
} from './database.ts';
import { getUser } from '@hearth/api/accounts/users.ts';
import { prepared } from './preparedStatements.ts';

const { db, url, drop } = await createMigratedDatabase();
after(drop);

const getError = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail('nothing failed'),
    (error: unknown) => error,
  );

test('reads counts as numbers, instants as dates, and wall-clock times as text', async () => {
  const { rows } = await sql`
    select 9007199254740991::bigint as n, timestamptz '2022-04-03 12:56:11+05:30' as instant,
      timestamp '2022-03-27 02:30:00.000001' as wall_clock`.execute(db);
  assert.deepEqual(rows, [
    { n: 9007199254740991, instant: new Date('2022-04-03T07:26:11Z'), wall_clock: '2022-03-27T02:30:00.000001' },
  ]);
});

test('makes a nested transaction part of the outer one', async () => {
  let id = '';
  const failing = transaction(db, async (outer) => {
    await transaction(outer, async (inner) => {
      id = (await buildUser(inner)).id;
    });
    await getUser(outer, id);
    throw new Error('changed its mind');
  });
  await assert.rejects(failing, /changed its mind/);
  await assert.rejects(getUser(db, id), /user not found/);
});

test('opens an unreachable database without an error, and reports it as unavailable on the first query', async () => {
  const unreachable = openDatabase({
    url: 'postgres://hearth@127.0.0.1:1/hearth',
    maxConnections: 1,
    onError: () => undefined,
  });
  const error = await getError(pingDatabase(unreachable));
  assert(error instanceof UnavailableError);
  assert.equal(error.message, 'the database is not reachable');
  assert(isDatabaseUnavailable(error.cause));
  await unreachable.destroy();
});

test('reports a closed connection or a full pool as unavailable, but not an invalid query', async () => {
  const ownDb = openDatabase({ url, maxConnections: 1, onError: () => undefined });
  const closedError = await getError(sql`select pg_terminate_backend(pg_backend_pid())`.execute(ownDb));
  assert.equal(isDatabaseUnavailable(closedError), true);
  assert(asDatabaseError(closedError) instanceof UnavailableError);
  await ownDb.destroy();

  const full = openDatabase({ url, maxConnections: 1, onError: () => undefined, connectTimeoutMs: 5_000 });
  const poolError = await transaction(full, () => getError(pingDatabase(full)));
  assert(poolError instanceof UnavailableError, 'the only connection is in use');
  await full.destroy();

  for (const wrong of [sql`select * from nowhere`, sql`select 1 / 0`]) {
    const error = await getError(wrong.execute(db));
    assert.equal(isDatabaseUnavailable(error), false);
    assert.equal(asDatabaseError(error), error);
  }
});

test('reports an idle connection that breaks, and replaces it', async () => {
  const broken = Promise.withResolvers<Error>();
  const ownDb = openDatabase({ url, maxConnections: 1, onError: broken.resolve });
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(ownDb);
  await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(db);
  assert.match((await broken.promise).message, /terminat/);
  await pingDatabase(ownDb);
  await ownDb.destroy();
});

test('cancels a statement after the timeout', async () => {
  const ownDb = openDatabase({ url, maxConnections: 1, onError: () => undefined, statementTimeoutMs: 100 });
  await assert.rejects(sql`select pg_sleep(60)`.execute(ownDb), /statement timeout/);
  await ownDb.destroy();
});

/** Returns the names of the statements that a connection has prepared. */
const listPrepared = async (on: Database): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements order by name`.execute(on);
  return rows.map(({ name }) => name);
};

test('prepares a named read once per connection, and again after a migration changes its result', async () => {
  const ownDb = openDatabase({ url, maxConnections: 1, onError: () => undefined });
  await sql`create table seasons as select 'spring' as name`.execute(ownDb);
  const read = async () =>
    (await sql`select * from seasons where name = ${'spring'}`.execute(prepared(ownDb, 'seasons'))).rows;
  for (let times = 0; times < 3; times++) assert.deepEqual(await read(), [{ name: 'spring' }]);
  await sql`select * from seasons where name = ${'winter'}`.execute(ownDb);
  assert.match((await listPrepared(ownDb)).join(), /^seasons_\d+$/);
  await transaction(ownDb, async (trx) => void (await sql`alter table seasons add column months integer`.execute(trx)));
  for (let times = 0; times < 3; times++) assert.deepEqual(await read(), [{ name: 'spring', months: null }]);
  await sql`drop table seasons`.execute(ownDb);
  await ownDb.destroy();
});

test('prepares reads with usual limits only', async () => {
  const ownDb = openDatabase({ url, maxConnections: 1, onError: () => undefined });
  for (let limit = 1; limit <= 20; limit++) {
    const { rows } = await sql`select n from generate_series(1, 100) as n limit ${sql.lit(limit)}`.execute(
      prepared(ownDb, 'numbers', limit),
    );
    assert.equal(rows.length, limit);
  }
  assert.match((await listPrepared(ownDb)).join(), /^numbers_\d+,numbers_\d+$/);
  await ownDb.destroy();
});

test('prepares nothing behind a transaction pooler', async () => {
  const pooled = openDatabase({ url, maxConnections: 1, onError: () => undefined, isPooled: true });
  for (let times = 0; times < 2; times++) assert.deepEqual(await listPrepared(prepared(pooled, 'pooled')), []);
  await pooled.destroy();
});

test('repeats a transaction whose prepared statements are stale after a migration, and commits it once', async () => {
  const ownDb = openDatabase({ url, maxConnections: 1, onError: () => undefined });
  await sql`create table harvests (fruit text not null)`.execute(ownDb);
  let attempts = 0;
  const add = (fruit: string) =>
    transaction(ownDb, async (trx) => {
      attempts += 1;
      await sql`insert into harvests (fruit) values (${fruit}) returning *`.execute(prepared(trx, 'add_harvest'));
      return (await sql`select * from harvests order by fruit`.execute(prepared(trx, 'harvests'))).rows;
    });
  await add('apple');
  assert.deepEqual(await add('cherry'), [{ fruit: 'apple' }, { fruit: 'cherry' }]);
  assert.match((await listPrepared(ownDb)).join(), /^add_harvest_\d+,harvests_\d+$/);
  await sql`alter table harvests add column baskets integer`.execute(ownDb);
  assert.deepEqual(
    await add('pear'),
    ['apple', 'cherry', 'pear'].map((fruit) => ({ fruit, baskets: null })),
  );
  // One more attempt, although both statements are stale. The connection that held them is closed.
  assert.equal(attempts, 4);
  assert.equal((await listPrepared(ownDb)).length, 2);
  await sql`drop table harvests`.execute(ownDb);
  await ownDb.destroy();
});
