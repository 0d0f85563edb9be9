import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { applicationRole } from './applicationRole.ts';
import { migrate } from '@hearth/core/db/migrate.ts';
import { createLog } from '@hearth/core/log/log.ts';
import { openPostgresQueues } from '@hearth/core/queue/postgresQueues.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { getFastFolder } from '@hearth/testkit/run/fastFolder.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './postgres.ts';

const password = 'p@ss/word:?#%';

const makeDatabasePath = async (t: TestContext): Promise<string> => {
  const parent = await mkdtemp(join(getFastFolder(), 'hearth-role-'));
  t.after(() => rm(parent, { recursive: true, force: true, maxRetries: 3 }));
  return join(parent, 'postgres');
};

const start = async (t: TestContext, directory: string): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ directory, password, isThrowaway: true });
  t.after(() => server.stop());
  return server;
};

/** Creates every kind of object that Hearth creates in a database. */
const fill = async (url: string): Promise<void> => {
  await migrate(url);
  const queues = openPostgresQueues({ connectionString: url, log: createLog('api', 'error') });
  try {
    await queues.enqueue('media', [{ mediaItemId: '0193a0c0-0000-7000-8000-000000000001' }], 'upload');
  } finally {
    await queues.close();
  }
};

/** Lists database objects that the application role does not own. The schema `public` belongs to the database owner. */
const listForeign = (url: string): Promise<{ name: string }[]> =>
  queryOnce(
    url,
    `with own as (
       select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
     )
     select oid::regclass::text as name from pg_class
     where relnamespace in (select oid from own) and relowner <> $1::regrole
     union all
     select oid::regprocedure::text from pg_proc where pronamespace in (select oid from own) and proowner <> $1::regrole
     union all
     select oid::regtype::text from pg_type where typnamespace in (select oid from own) and typowner <> $1::regrole
     union all
     select nspname from pg_namespace where oid in (select oid from own) and nspname <> 'public' and nspowner <> $1::regrole
     union all
     select datname from pg_database where datname = current_database() and datdba <> $1::regrole`,
    [applicationRole],
  );

test('the application role has no access outside its database', async (t) => {
  const { url, administratorUrl } = await start(t, await makeDatabasePath(t));
  const privileged = [
    `copy (select 1) to program 'cat'`,
    `do $$ begin create temp table t (line text); copy t from program 'id'; end $$`,
    `select pg_read_file('/etc/passwd')`,
    `select pg_ls_dir('.')`,
    `select lo_import('/etc/passwd')`,
    `alter system set jit = 'on'`,
    'create role another superuser',
    'create role another',
    'create database another',
    'alter role hearth_application superuser',
    'set role hearth',
    'set session authorization hearth',
    'select rolpassword from pg_authid',
    'create function f() returns int language c as $$/lib/x86_64-linux-gnu/libc.so.6$$, $$getpid$$',
  ];
  for (const statement of privileged) {
    await assert.rejects(queryOnce(url(), statement), { code: '42501' }, statement);
  }
  assert.deepEqual(await queryOnce(administratorUrl(), `select rolname from pg_roles where rolsuper`), [
    { rolname: 'hearth' },
  ]);
  await fill(url());
  assert.deepEqual(await listForeign(url()), []);
});

test("the application password does not reveal the superuser's password", async (t) => {
  const { url, administratorUrl } = await start(t, await makeDatabasePath(t));
  const asSuperuser = new URL(url());
  assert.equal(asSuperuser.username, applicationRole);
  asSuperuser.username = new URL(administratorUrl()).username;
  await assert.rejects(queryOnce(asSuperuser.href, 'select 1'), /password authentication failed/);
});

test('the application role owns the database and its objects after every start', async (t) => {
  const directory = await makeDatabasePath(t);
  const first = await start(t, directory);
  await fill(first.url());
  await first.stop();
  const second = await start(t, directory);
  assert.deepEqual(await listForeign(second.url()), []);
  await fill(second.url());
});
