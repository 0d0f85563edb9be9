import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { createTestDatabase, queryOnce } from '../../testing/postgres.ts';
import { retryOnDeadlock } from './retryOnDeadlock.ts';
import { migrate, SchemaTooNewError } from './migrate.ts';

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

test('an empty database gets every migration of the project, and a second call finds nothing to do', async (t) => {
  const url = await createDatabase(t);
  const files = await readdir(join(import.meta.dirname, '..', '..', '..', 'migrations'));
  const names = files.map((file) => file.replace(/\.sql$/, '')).toSorted();
  assert.deepEqual(await migrate(url), names);
  assert.deepEqual(await migrate(url), []);
  assert.deepEqual(await appliedNames(url), names);
});

/** A database as a version had it that knew no migration from `end` on. */
const createOldDatabase = async (t: TestContext, end: string): Promise<string> => {
  const url = await createDatabase(t);
  const all = join(import.meta.dirname, '..', '..', '..', 'migrations');
  const before = await mkdtemp(join(tmpdir(), 'hearth-migrations-'));
  t.after(() => rm(before, { recursive: true }));
  for (const name of await readdir(all)) if (name < end) await copyFile(join(all, name), join(before, name));
  await migrate(url, before);
  return url;
};

test('an update brings what an uploader dated in the future back to the day it came, on the same clock', async (t) => {
  const url = await createOldDatabase(t, '0034');
  const future = '2093-05-05T12:00:00Z';
  await queryOnce(
    url,
    `with owner as (
       insert into users (id, name, username, password_hash) values (gen_random_uuid(), 'a', 'a', 'none') returning id
     )
     insert into media_items
       (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time, client_taken_at, created_at)
     select gen_random_uuid(), owner.id, sha256(name::bytea), name, 'image/jpeg', 1, 'PHOTO', taken_at,
       taken_at at time zone 'Asia/Kathmandu', client_taken_at, '2026-01-01T10:00:00Z'
     from owner, (values
       ('future', timestamptz '${future}', timestamptz '${future}'),
       ('file', '2020-01-01T10:00:00Z', '${future}'),
       ('past', '2021-01-01T10:00:00Z', '2021-01-01T10:00:00Z')
     ) as told (name, taken_at, client_taken_at)`,
  );
  await migrate(url);
  assert.deepEqual(
    await queryOnce(
      url,
      `select filename as name, (taken_at at time zone 'UTC')::text as utc, local_time::text as local, client_taken_at is null as forgotten
       from media_items order by taken_at`,
    ),
    [
      { name: 'file', utc: '2020-01-01 10:00:00', local: '2020-01-01 15:45:00', forgotten: true },
      { name: 'past', utc: '2021-01-01 10:00:00', local: '2021-01-01 15:45:00', forgotten: false },
      { name: 'future', utc: '2026-01-01 10:00:00', local: '2026-01-01 15:45:00', forgotten: true },
    ],
  );
});

test('an update to videos and Live Photos leaves every item in its list and every count as it was', async (t) => {
  const url = await createOldDatabase(t, '0014');
  await queryOnce(
    url,
    `with owner as (
       insert into users (id, name, username, password_hash) values (gen_random_uuid(), 'a', 'a', 'none') returning id
     )
     insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time, is_hidden, deleted_at, removing_at)
     select gen_random_uuid(), owner.id, sha256(n::text::bytea), 'IMG.jpg', 'image/jpeg', 1, 'PHOTO', now(), now(),
       n % 2 = 1, case when n % 3 = 1 then now() end, case when n % 5 = 1 then now() end
     from owner, generate_series(1, 60) as n`,
  );
  const look = () => queryOnce(url, `select checksum, visibility from media_items order by checksum`);
  const count = () => queryOnce(url, `select visibility, sum(n)::int as n from count_deltas group by 1 order by 1`);
  const indexes = () =>
    queryOnce<{ indexdef: string }>(
      url,
      // A later one may carry more columns.
      `select regexp_replace(indexdef, ' INCLUDE \\([^)]*\\)', '') as indexdef from pg_indexes
       where tablename = 'media_items' order by indexname`,
    );
  const [items, counts, had] = [await look(), await count(), await indexes()];
  assert.ok((await migrate(url)).includes('0014_videos'));
  assert.deepEqual([await look(), await count()], [items, counts]);
  const has = new Set((await indexes()).map(({ indexdef }) => indexdef));
  assert.deepEqual(
    had.map(({ indexdef }) => indexdef).filter((each) => !has.has(each)),
    [],
  );
});

test('five processes that migrate at the same time apply each migration once', async (t) => {
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

test('a database that a newer version has migrated compatibly is left as it is', async (t) => {
  const url = await createDatabase(t);
  await migrate(url, directory);
  await queryOnce(url, `insert into kysely_migration values ('0003_people', '2099-01-01T00:00:00.000Z')`);
  assert.deepEqual(await migrate(url, directory), []);
  assert.deepEqual(await appliedNames(url), ['0001_albums', '0002_photos', '0003_people']);
});

test('a database that a newer version has migrated incompatibly is refused by name', async (t) => {
  const url = await createDatabase(t);
  await migrate(url, directory);
  await queryOnce(
    url,
    `insert into kysely_migration values ('0003_people', '2099-01-01T00:00:00.000Z'), ('0004_split.breaking', '2099-01-02T00:00:00.000Z')`,
  );
  await assert.rejects(migrate(url, directory), (error: unknown) => {
    assert(error instanceof SchemaTooNewError);
    assert.deepEqual(error.migrations, ['0004_split.breaking']);
    assert.match(error.message, /newer version of Hearth \(0004_split\.breaking\).*start that version or a later one/);
    return true;
  });
});

test('migrations are ordered by name, whatever the clocks of the machines that applied them said', async (t) => {
  const url = await createDatabase(t);
  await migrate(url, directory);
  await queryOnce(url, `update kysely_migration set timestamp = '2001-01-01T00:00:00.000Z' where name = '0002_photos'`);
  assert.deepEqual(await migrate(url, directory), []);
});

test('a migration that fails leaves nothing behind, nor do those that ran before it in the same call', async (t) => {
  const url = await createDatabase(t);
  const broken = await mkdtemp(join(tmpdir(), 'hearth-migrations-'));
  t.after(() => rm(broken, { recursive: true }));
  await writeFile(join(broken, '0001_good.sql'), 'create table good ();');
  await writeFile(join(broken, '0002_bad.sql'), 'create table bad (); insert into nowhere values (1);');
  await assert.rejects(migrate(url, broken), (error: Error) => {
    assert.equal(error.message, 'the migration 0002_bad failed');
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

test('a migration that waits for a reader who waits for it begins anew', async (t) => {
  const url = await createDatabase(t);
  const folder = await mkdtemp(join(tmpdir(), 'hearth-migrations-'));
  t.after(() => rm(folder, { recursive: true }));
  await queryOnce(url, 'create table here as select 1 as n');
  await queryOnce(url, 'create table there as select 1 as n');
  await writeFile(
    join(folder, '0001_both.sql'),
    'lock table here; select pg_sleep(0.5); lock table there; create table done ()',
  );
  // Who has waited longer looks for a deadlock first, and is ended: the migration, unless the machine is very busy.
  const reader = retryOnDeadlock(() =>
    queryOnce(url, 'do $$ begin perform from there; perform pg_sleep(0.9); perform from here; end $$'),
  );
  assert.deepEqual(await migrate(url, folder), ['0001_both']);
  await reader;
});

test('a database that cannot be reached is an error, not an empty database', async () => {
  await assert.rejects(migrate('postgres://hearth@127.0.0.1:1/hearth', directory), { code: 'ECONNREFUSED' });
});
