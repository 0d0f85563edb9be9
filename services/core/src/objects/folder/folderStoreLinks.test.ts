import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFolderStore } from './folderStore.ts';
import { StoreError } from '../objectErrors.ts';
import { listKeys, read, toStream, makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { makeFolder } from '@hearth/testkit/objects/testFolder.ts';

const bytes = makeTestBytes(1, 1000);

test('does not follow a symbolic link to a folder', async () => {
  await using testFolder = await makeFolder();
  await testFolder.store.put('u/m/a', toStream(bytes));
  await mkdir(join(testFolder.outside, 'm'));
  await writeFile(join(testFolder.outside, 'm', 'secret'), 'secret');
  await symlink(testFolder.outside, join(testFolder.root, 'link'));

  const refusal = { name: 'StoreError', message: /symbolic link|is not a folder/ };
  await assert.rejects(testFolder.store.open('link/m/secret'), refusal);
  await assert.rejects(testFolder.store.stat('link/m/secret'), refusal);
  await assert.rejects(testFolder.store.file('link/m/secret', tmpdir()), refusal);
  await assert.rejects(testFolder.store.remove(['link/m/secret']), refusal);
  await assert.rejects(testFolder.store.put('link/m/secret', toStream(bytes)), refusal);
  await assert.rejects(testFolder.store.put('link/n/new', toStream(bytes)), refusal);
  await assert.rejects(listKeys(testFolder.store, 'link/'), refusal);
  assert.deepEqual(await listKeys(testFolder.store), ['u/m/a']);
  assert.deepEqual(await readdir(testFolder.outside, { recursive: true }), ['m', 'm/secret']);
  assert.equal(await readFile(join(testFolder.outside, 'm', 'secret'), 'utf8'), 'secret');
  assert.deepEqual(await readdir(join(testFolder.root, '.unfinished')), []);
});

test('does not follow a symbolic link to a file, but replaces or removes the link', async () => {
  await using testFolder = await makeFolder();
  const secret = join(testFolder.outside, 'secret');
  await writeFile(secret, 'secret');
  for (const key of ['read', 'replaced', 'removed']) await symlink(secret, join(testFolder.root, key));
  await assert.rejects(testFolder.store.open('read'), StoreError);
  await assert.rejects(testFolder.store.stat('read'), StoreError);
  await testFolder.store.put('replaced', toStream(bytes));
  assert.deepEqual(await read(testFolder.store, 'replaced'), bytes);
  await testFolder.store.remove(['removed']);
  assert.deepEqual((await readdir(testFolder.root)).toSorted(), ['.unfinished', 'read', 'replaced']);
  assert.equal(await readFile(secret, 'utf8'), 'secret');
});

test('opens a store through a symbolic link to its folder', async () => {
  await using testFolder = await makeFolder();
  await symlink(testFolder.root, join(testFolder.outside, 'link'));
  const store = await openFolderStore(join(testFolder.outside, 'link'));
  await store.put('u/m/a', toStream(bytes));
  assert.deepEqual(await read(testFolder.store, 'u/m/a'), bytes);
});
