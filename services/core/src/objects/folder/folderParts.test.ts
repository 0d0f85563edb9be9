import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFolderStore } from './folderStore.ts';
import { StoreError, WrongPartsError } from '../objectErrors.ts';
import { minPartBytes } from '../objects.ts';
import { listKeys, read, makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { makeFolder } from '@hearth/testkit/objects/testFolder.ts';

const key = 'u/m/original';
const first = { number: 1, offset: 0 };

test('continues a write in another process, with files that only their owner can access', async () => {
  await using testFolder = await makeFolder();
  const bytes = makeTestBytes(1, minPartBytes + 10);
  const writeId = await testFolder.store.beginParts(key);
  const tag = await testFolder.store.putPart(key, writeId, first, bytes.subarray(0, minPartBytes));
  for (const name of await readdir(join(testFolder.root, '.unfinished'))) {
    assert.equal((await stat(join(testFolder.root, '.unfinished', name))).mode & 0o777, 0o600);
  }
  const other = await openFolderStore(testFolder.root);
  const rest = await other.putPart(key, writeId, { number: 2, offset: minPartBytes }, bytes.subarray(minPartBytes));
  await other.finishParts(key, writeId, [
    { number: 1, tag },
    { number: 2, tag: rest },
  ]);
  assert.ok((await read(testFolder.store, key)).equals(bytes));
  assert.deepEqual(await readdir(join(testFolder.root, '.unfinished')), []);
});

test('keeps the old part, the new part or none after a kill during storing, never a mixture', async () => {
  await using testFolder = await makeFolder();
  const versions = [makeTestBytes(1, minPartBytes), makeTestBytes(2, minPartBytes)] as const;
  for (let round = 0; round < 6; round++) {
    const writeId = await testFolder.store.beginParts(key);
    const tags: string[] = [];
    for (const version of versions) tags.push(await testFolder.store.putPart(key, writeId, first, version));
    const program = `
      import { openFolderStore } from ${JSON.stringify(import.meta.resolve('./folderStore.ts'))};
      import { makeTestBytes } from ${JSON.stringify(import.meta.resolve('@hearth/testkit/objects/testBytes.ts'))};
      const store = await openFolderStore(process.argv[1]);
      const versions = [1, 2].map((seed) => makeTestBytes(seed, ${minPartBytes}));
      console.log('begun');
      for (let i = 0; ; i++) await store.putPart('${key}', process.argv[2], { number: 1, offset: 0 }, versions[i % 2]);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, testFolder.root, writeId], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, round * 7));
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (const [i, tag] of tags.entries()) {
      const finished = await testFolder.store
        .finishParts(key, writeId, [{ number: 1, tag }])
        .catch((error: unknown) => error);
      if (typeof finished === 'number') {
        assert.ok((await read(testFolder.store, key)).equals(versions[i]!));
        break;
      }
      assert.ok(finished instanceof WrongPartsError, String(finished));
    }
    await testFolder.store.abandonParts(key, writeId);
  }
});

test('throws a StoreError while the disk is not mounted, and continues the write afterwards', async () => {
  await using testFolder = await makeFolder();
  const writeId = await testFolder.store.beginParts(key);
  await rename(testFolder.root, join(testFolder.outside, 'away'));
  await mkdir(testFolder.root);
  await assert.rejects(testFolder.store.beginParts(key), StoreError);
  await assert.rejects(testFolder.store.putPart(key, writeId, first, makeTestBytes(1, 10)), StoreError);
  await assert.rejects(testFolder.store.finishParts(key, writeId, [{ number: 1, tag: 'x' }]), StoreError);
  await assert.rejects(testFolder.store.abandonParts(key, writeId), StoreError);
  assert.deepEqual(await readdir(testFolder.root), []);
  await rename(join(testFolder.outside, 'away'), testFolder.root);
  const tag = await testFolder.store.putPart(key, writeId, first, makeTestBytes(1, 10));
  await testFolder.store.finishParts(key, writeId, [{ number: 1, tag }]);
  assert.deepEqual(await listKeys(testFolder.store), [key]);
});
