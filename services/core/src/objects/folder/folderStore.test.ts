import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFolderStore } from './folderStore.ts';
import { isNotFound, StoreError } from '../objectErrors.ts';
import { objectsSuite } from '@hearth/testkit/objects/objectsSuite.ts';
import { listKeys, read, toStream, makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { makeFolder } from '@hearth/testkit/objects/testFolder.ts';

const bytes = makeTestBytes(1, 1000);
const inAMinute = (): Date => new Date(Date.now() + 60_000);

objectsSuite('the folder store', makeFolder);

test('stores an object as the file at its key, with files and folders that only their owner can access', async () => {
  await using testFolder = await makeFolder();
  await testFolder.store.put('u/m/original', toStream(bytes));
  await using file = await testFolder.store.file('u/m/original', testFolder.outside);
  assert.equal(file.path, join(testFolder.root, 'u/m/original'));
  for (const folder of ['', 'u', 'u/m', '.unfinished']) {
    assert.equal((await stat(join(testFolder.root, folder))).mode & 0o777, 0o700, folder);
  }
  assert.equal((await stat(file.path)).mode & 0o777, 0o600);
});

test('removes empty folders, including those of an interrupted removal', async () => {
  await using testFolder = await makeFolder();
  for (const key of ['u/m/a', 'u/m/b', 'u/n/a']) await testFolder.store.put(key, toStream(bytes));
  await testFolder.store.remove(['u/m/a', 'u/m/b']);
  assert.deepEqual(await readdir(join(testFolder.root, 'u')), ['n']);
  await mkdir(join(testFolder.root, 'v'));
  await testFolder.store.remove(['u/n/a', 'v/m/a']);
  assert.deepEqual(await readdir(testFolder.root), ['.unfinished']);
});

test('removes unfinished writes of other processes by the time of their last byte', async () => {
  await using testFolder = await makeFolder();
  const ages = { running: 1, stopped: 48 };
  for (const [name, hours] of Object.entries(ages)) {
    const path = join(testFolder.root, '.unfinished', name);
    await writeFile(path, bytes);
    const time = new Date(Date.now() - hours * 60 * 60 * 1000);
    await utimes(path, time, time);
  }
  assert.equal(await testFolder.store.removeUnfinished(new Date(Date.now() - 24 * 60 * 60 * 1000)), 1);
  assert.deepEqual(await readdir(join(testFolder.root, '.unfinished')), ['running']);
});

test('ignores files that are not objects of the store', async () => {
  await using testFolder = await makeFolder();
  await testFolder.store.put('u/m/a', toStream(bytes));
  await writeFile(join(testFolder.root, '.DS_Store'), '');
  await writeFile(join(testFolder.root, 'u', 'two words'), '');
  await mkdir(join(testFolder.root, 'lost+found'));
  await writeFile(join(testFolder.root, '.unfinished', 'fragment'), '');
  assert.deepEqual(await listKeys(testFolder.store), ['u/m/a']);
});

test('rejects an object and a folder with the same name', async () => {
  await using testFolder = await makeFolder();
  await testFolder.store.put('u/m', toStream(bytes));
  await assert.rejects(testFolder.store.put('u/m/a', toStream(bytes)), {
    name: 'StoreError',
    message: /u\/m is not a folder/,
  });
  await assert.rejects(testFolder.store.put('u', toStream(bytes)), StoreError);
  assert.deepEqual(await listKeys(testFolder.store), ['u/m']);
  assert.equal(await testFolder.store.removeUnfinished(inAMinute()), 0);
});

test('moves aside a folder that has the name of a new object', async () => {
  await using testFolder = await makeFolder();
  const folder = join(testFolder.root, 'u/m/original');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'kept'), 'kept');
  await testFolder.store.put('u/m/original', toStream(bytes));
  assert.deepEqual(await read(testFolder.store, 'u/m/original'), bytes);
  assert.deepEqual(await listKeys(testFolder.store), ['u/m/original']);
  const [aside] = await readdir(join(testFolder.root, 'u/m'));
  assert.equal(await readFile(join(testFolder.root, 'u/m', aside!, 'kept'), 'utf8'), 'kept');
});

test('sees objects that another process writes or removes', async () => {
  await using testFolder = await makeFolder();
  const other = await openFolderStore(testFolder.root);
  await other.put('u/m/a', toStream(bytes));
  assert.deepEqual(await read(testFolder.store, 'u/m/a'), bytes);
  await other.remove(['u/m/a']);
  await assert.rejects(testFolder.store.stat('u/m/a'), isNotFound);
  await testFolder.store.put('u/m/a', toStream(bytes));
  assert.deepEqual(await listKeys(other), ['u/m/a']);
});
