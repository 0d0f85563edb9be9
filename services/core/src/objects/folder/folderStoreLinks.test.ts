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
  await using made = await makeFolder();
  await made.store.put('u/m/a', toStream(bytes));
  await mkdir(join(made.outside, 'm'));
  await writeFile(join(made.outside, 'm', 'secret'), 'secret');
  await symlink(made.outside, join(made.root, 'link'));

  const isRefusal = { name: 'StoreError', message: /symbolic link|is not a folder/ };
  await assert.rejects(made.store.open('link/m/secret'), isRefusal);
  await assert.rejects(made.store.stat('link/m/secret'), isRefusal);
  await assert.rejects(made.store.file('link/m/secret', tmpdir()), isRefusal);
  await assert.rejects(made.store.remove(['link/m/secret']), isRefusal);
  await assert.rejects(made.store.put('link/m/secret', toStream(bytes)), isRefusal);
  await assert.rejects(made.store.put('link/n/new', toStream(bytes)), isRefusal);
  await assert.rejects(listKeys(made.store, 'link/'), isRefusal);
  assert.deepEqual(await listKeys(made.store), ['u/m/a']);
  assert.deepEqual(await readdir(made.outside, { recursive: true }), ['m', 'm/secret']);
  assert.equal(await readFile(join(made.outside, 'm', 'secret'), 'utf8'), 'secret');
  assert.deepEqual(await readdir(join(made.root, '.unfinished')), []);
});

test('does not follow a symbolic link to a file, but replaces or removes the link', async () => {
  await using made = await makeFolder();
  const secret = join(made.outside, 'secret');
  await writeFile(secret, 'secret');
  for (const key of ['read', 'replaced', 'removed']) await symlink(secret, join(made.root, key));
  await assert.rejects(made.store.open('read'), StoreError);
  await assert.rejects(made.store.stat('read'), StoreError);
  await made.store.put('replaced', toStream(bytes));
  assert.deepEqual(await read(made.store, 'replaced'), bytes);
  await made.store.remove(['removed']);
  assert.deepEqual((await readdir(made.root)).toSorted(), ['.unfinished', 'read', 'replaced']);
  assert.equal(await readFile(secret, 'utf8'), 'secret');
});

test('opens a store through a symbolic link to its folder', async () => {
  await using made = await makeFolder();
  await symlink(made.root, join(made.outside, 'link'));
  const store = await openFolderStore(join(made.outside, 'link'));
  await store.put('u/m/a', toStream(bytes));
  assert.deepEqual(await read(made.store, 'u/m/a'), bytes);
});
