import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { waitUntilBlocked } from '@hearth/testkit/database/blockedQueries.ts';
import { createTestDatabase, queryOnce } from '@hearth/testkit/database/postgres.ts';
import { openDatabase, transaction } from './database.ts';
import { findMissingMigrations, migrate } from './migrate.ts';
import { SchemaTooNewError, SchemaUnknownError } from './schemaErrors.ts';

const directory = await mkdtemp(join(tmpdir(), 'hearth-migrations-'));
after(() => rm(directory, { recursive: true }));
await writeFile(join(directory, '0001_albums.sql'), 'create table albums (id int); insert into albums values (1);');
await writeFile(join(directory, '0002_photos.sql'), 'create table photos (id int); insert into photos values (1);');

const createDatabase = async (t: TestContext): Promise<string> => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  return database.url;
};

const appliedNames = async (url: string): Promise<string[]> =>
  (await queryOnce<{ name: string }>(url, 'select name from kysely_migration order by name')).map(({ name }) => name);

test('applies all migrations to an empty database, and nothing on a second call', async (t) => {
  const url = await createDatabase(t);
  const files = await readdir(join(import.meta.dirname, '../../migrations'));
  const names = files.flatMap((file) => (file.endsWith('.sql') ? [file.slice(0, -'.sql'.length)] : [])).toSorted();
  assert.deepEqual(await migrate(url), names);
  assert.deepEqual(await migrate(url), []);
  assert.deepEqual(await appliedNames(url), names);
});

test('applies each migration once when five processes migrate at the same time', async (t) => {
  const url = await createDatabase(t);
  const source = `
    import { migrate } from ${JSON.stringify(new URL('migrate.ts', import.meta.url).href)};
    console.log(JSON.stringify(await migrate(...process.argv.slice(1))));`;
  const run = promisify(execFile);
  const outputs = await Promise.all(
    Array.from({ length: 5 }, () => run(process.execPath, ['--input-type=module', '-e', source, url, directory])),
  );
  const applied = outputs.flatMap(({ stdout }) => JSON.parse(stdout) as string[]);
  assert.deepEqual(applied.toSorted(), ['0001_albums', '0002_photos']);
  assert.deepEqual(await queryOnce(url, 'select * from albums'), [{ id: 1 }]);
  assert.deepEqual(await queryOnce(url, 'select * from photos'), [{ id: 1 }]);
});

test('leaves a database unchanged that a newer version has migrated compatibly', async (t) => {
  const url = await createDatabase(t);
  await migrate(url, directory);
  await queryOnce(url, `insert into kysely_migration values ('0003_people', '2099-01-01T00:00:00.000Z')`);
  assert.deepEqual(await migrate(url, directory), []);
  assert.deepEqual(await appliedNames(url), ['0001_albums', '0002_photos', '0003_people']);
});

test('rejects a database that a newer version has migrated incompatibly, and names the migration', async (t) => {
  const url = await createDatabase(t);
  await migrate(url, directory);
  await queryOnce(
    url,
    `insert into kysely_migration values ('0003_people', '2099-01-01T00:00:00.000Z'), ('0004_split.breaking', '2099-01-02T00:00:00.000Z')`,
  );
  await assert.rejects(migrate(url, directory), (error: unknown) => {
    assert(error instanceof SchemaTooNewError);
    assert.match(error.message, /newer version of Hearth \(0004_split\.breaking\).*start that version or a later one/);
    return true;
  });
});

test('rejects a database with unknown migrations, names them, and changes nothing', async (t) => {
  const url = await createDatabase(t);
  const before = await mkdtemp(join(tmpdir(), 'hearth-migrations-'));
  t.after(() => rm(before, { recursive: true }));
  const others = ['0001_users', '0002_media_items', '0003_component_runs', '0004_counts'];
  for (const name of others) await writeFile(join(before, `${name}.sql`), `create table "${name}" ();`);
  await migrate(url, before);
  const tables = () => queryOnce(url, `select relname from pg_class where relkind = 'r' order by oid`);
  const tablesBefore = await tables();
  await assert.rejects(migrate(url), (error: unknown) => {
    assert(error instanceof SchemaUnknownError);
    assert.match(
      error.message,
      /\(0001_users, 0002_media_items, 0003_component_runs and 1 more\).*nothing was changed.*npm run orphans -- --take-over --adopt/,
    );
    return true;
  });
  assert.deepEqual(await tables(), tablesBefore);
  assert.deepEqual(await appliedNames(url), others);
});

/** Creates a folder with one migration, which creates the table `things` with a column of this type. */
const writeThings = async (t: TestContext, type: string, lineEnding = '\n'): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-migrations-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(
    join(folder, '0001_things.sql'),
    ['create table things (', `  id ${type}`, ');', ''].join(lineEnding),
  );
  return folder;
};

test('rejects a database whose migration was edited later, and names the migration, the version and the remedy', async (t) => {
  const url = await createDatabase(t);
  await migrate(url, await writeThings(t, 'int'));
  const [recorded] = await queryOnce<{ version: string }>(url, 'select version from applied_migrations');
  assert.match(recorded!.version, /^\d+\.\d+\.\d+/);
  const edited = await writeThings(t, 'bigint');
  await assert.rejects(migrate(url, edited), (error: unknown) => {
    assert(error instanceof SchemaUnknownError);
    for (const part of ['0001_things', recorded!.version, 'npm run orphans -- --take-over --adopt'])
      assert.ok(error.message.includes(part), part);
    return true;
  });
  const db = openDatabase({ url, maxConnections: 1, onError: () => undefined });
  await assert.rejects(findMissingMigrations(db, edited), SchemaUnknownError);
  await db.destroy();
});

test('accepts a migration whose file has other line endings', async (t) => {
  const url = await createDatabase(t);
  await migrate(url, await writeThings(t, 'int', '\r\n'));
  assert.deepEqual(await migrate(url, await writeThings(t, 'int')), []);
});

test('rejects a database without checksums, from before they were recorded', async (t) => {
  const url = await createDatabase(t);
  await migrate(url, directory);
  await queryOnce(url, 'drop table applied_migrations');
  await assert.rejects(migrate(url, directory), (error: unknown) => {
    assert(error instanceof SchemaUnknownError);
    assert.match(
      error.message,
      /before the first release.*0001_albums, 0002_photos.*npm run orphans -- --take-over --adopt/,
    );
    return true;
  });
});

test('rejects migrations that another version applied while this one waited for the lock', async (t) => {
  const url = await createDatabase(t);
  await queryOnce(url, 'create table gate ()');
  const [first, second] = [await writeThings(t, 'int'), await writeThings(t, 'bigint')];
  for (const folder of [first, second])
    await writeFile(join(folder, '0000_gate.sql'), 'lock table gate; create table opened ()');
  const db = openDatabase({ url, maxConnections: 3, onError: () => undefined });
  t.after(() => db.destroy());
  let both: PromiseSettledResult<string[]>[] = [];
  let done: Promise<unknown> | undefined;
  await transaction(db, async (trx) => {
    await sql`lock table gate`.execute(trx);
    const winner = migrate(url, first);
    await waitUntilBlocked(db, 'lock table gate');
    const loser = migrate(url, second);
    done = Promise.allSettled([winner, loser]).then((results) => (both = results));
    await waitUntilBlocked(db, 'pg_advisory_lock');
  });
  await done;
  assert.deepEqual(
    both.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
});

test('orders migrations by name, not by the clocks of the machines that applied them', async (t) => {
  const url = await createDatabase(t);
  await migrate(url, directory);
  await queryOnce(url, `update kysely_migration set timestamp = '2001-01-01T00:00:00.000Z' where name = '0002_photos'`);
  assert.deepEqual(await migrate(url, directory), []);
});

test('rolls back a failed migration and the earlier ones of the same call', async (t) => {
  const url = await createDatabase(t);
  const broken = await mkdtemp(join(tmpdir(), 'hearth-migrations-'));
  t.after(() => rm(broken, { recursive: true }));
  await writeFile(join(broken, '0001_good.sql'), 'create table good ();');
  await writeFile(join(broken, '0002_bad.sql'), 'create table bad (); insert into nowhere values (1);');
  await assert.rejects(migrate(url, broken), (error: Error) => {
    assert.equal(error.message, 'migration 0002_bad failed');
    assert.match((error.cause as Error).message, /"nowhere" does not exist/);
    return true;
  });
  assert.deepEqual(await appliedNames(url), []);
  assert.deepEqual(await queryOnce(url, `select to_regclass('good') as good, to_regclass('bad') as bad`), [
    { good: null, bad: null },
  ]);

  await writeFile(join(broken, '0002_bad.sql'), 'create table bad ();');
  assert.deepEqual(await migrate(url, broken), ['0001_good', '0002_bad']);
});

test('repeats a migration that a deadlock with a reader has aborted', async (t) => {
  const url = await createDatabase(t);
  const folder = await mkdtemp(join(tmpdir(), 'hearth-migrations-'));
  t.after(() => rm(folder, { recursive: true }));
  await queryOnce(url, 'create table here as select 1 as n');
  await queryOnce(url, 'create table there as select 1 as n');
  await writeFile(join(folder, '0001_both.sql'), 'lock table here; lock table there; create table done ()');
  const db = openDatabase({ url, maxConnections: 2, onError: () => undefined });
  const isThereRead = Promise.withResolvers<void>();
  let untilMigrating: Promise<void> | undefined;
  const reader = transaction(db, async (trx) => {
    await sql`select from there`.execute(trx);
    isThereRead.resolve();
    // The session that has waited longer checks for a deadlock first and is aborted: the migration.
    await (untilMigrating ??= waitUntilBlocked(db, 'lock table there'));
    await sql`select from here`.execute(trx);
  });
  await isThereRead.promise;
  assert.deepEqual(await migrate(url, folder), ['0001_both']);
  await reader;
  await db.destroy();
});

test('reports an unreachable database as an error, not as an empty database', async () => {
  await assert.rejects(migrate('postgres://hearth@127.0.0.1:1/hearth', directory), { code: 'ECONNREFUSED' });
});
