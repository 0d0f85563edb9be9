import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readMigrations } from '@hearth/core/db/migrationFiles.ts';

test('fails if a released migration changes or disappears, or a new one is numbered before it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-released-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = (name: string): string => join(folder, name);
  const check = () => {
    const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'check.ts'), folder]);
    return { status, errors: stderr.toString() };
  };
  await writeFile(path('0001_albums.sql'), 'create table albums (id int);\n');
  await writeFile(path('released.json'), '{}');
  assert.equal(check().status, 0);
  const released = (await readMigrations(folder)).map(({ name, sha256 }) => [name, sha256]);
  await writeFile(path('released.json'), JSON.stringify(Object.fromEntries(released)));
  await writeFile(path('0001_albums.sql'), 'create table albums (id int);\r\n');
  await writeFile(path('0002_photos.sql'), 'create table photos ();\n');
  assert.deepEqual(check(), { status: 0, errors: '' });

  await writeFile(path('0001_albums.sql'), 'create table albums (id bigint);\n');
  assert.match(check().errors, /0001_albums\.sql was released and has changed: restore it/);
  assert.equal(check().status, 1);
  await rename(path('0001_albums.sql'), path('0000_albums.sql'));
  const { status, errors } = check();
  assert.equal(status, 1);
  assert.match(errors, /0001_albums\.sql was released and is missing/);
  assert.match(errors, /0000_albums\.sql is new and sorts before 0001_albums/);
});
