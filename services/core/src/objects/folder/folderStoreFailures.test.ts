import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir, rename, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openFolderStore } from './folderStore.ts';
import { StoreError } from '../objectErrors.ts';
import type { ObjectStore } from '../objects.ts';
import { listKeys, read, toStream, makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { makeFolder, type TestFolder } from '@hearth/testkit/objects/testFolder.ts';

const bytes = makeTestBytes(1, 1000);
const inAMinute = (): Date => new Date(Date.now() + 60_000);

/** Returns arguments for a child process that opens the store in its first argument. */
const childProgram = (rest: string): string[] => [
  '--input-type=module',
  '--eval',
  `import { openFolderStore } from ${JSON.stringify(import.meta.resolve('./folderStore.ts'))};
   import { Readable } from 'node:stream';
   const store = await openFolderStore(process.argv[1]);
   await store.claim();
   ${rest}`,
];

test('leaves no object and one removable fragment after a kill during a write', async () => {
  await using testFolder = await makeFolder();
  await testFolder.store.put('u/m/old', toStream(bytes));
  const child = spawn(
    process.execPath,
    [
      ...childProgram(`
        let parts = 0;
        const body = new Readable({ read() {
          parts += 1;
          if (parts <= 64) this.push(Buffer.alloc(64 * 1024));
          else console.log('half-way');
        } });
        setInterval(() => {}, 1000);
        await store.put('u/m/old', body);`),
      testFolder.root,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');

  const store = await openFolderStore(testFolder.root);
  assert.deepEqual(await listKeys(store), ['u/m/old']);
  assert.deepEqual(await read(store, 'u/m/old'), bytes);
  assert.equal((await readdir(join(testFolder.root, '.unfinished'))).length, 1);
  assert.equal(await store.removeUnfinished(inAMinute()), 1);
  assert.equal(await store.removeUnfinished(inAMinute()), 0);
  assert.deepEqual(await listKeys(store), ['u/m/old']);
});

test('reports an error for an object that is truncated while it is read', async () => {
  await using testFolder = await makeFolder();
  await testFolder.store.put('a', toStream(makeTestBytes(2, 4 * 1024 * 1024)));
  const stream = await testFolder.store.open('a');
  await truncate(join(testFolder.root, 'a'), 1024 * 1024);
  await assert.rejects(stream.toArray(), { name: 'StoreError', message: /ends at byte 1048576, expected 4194304/ });
});

test('throws a StoreError for a folder without write permission, and still reads', async () => {
  // Other users cannot enter the tests' folder in memory.
  await using testFolder = await makeFolder(tmpdir());
  await testFolder.store.put('a', toStream(bytes));
  await withoutPrivileges(testFolder, async (store) => {
    await chmod(testFolder.root, 0o500);
    const refusal = {
      name: 'StoreError',
      message: new RegExp(`^put u/m/a: EACCES: permission denied.*${testFolder.root}/u`),
    };
    const body = toStream(bytes);
    await assert.rejects(store.put('u/m/a', body), refusal);
    assert.ok(body.destroyed);
    await assert.rejects(store.remove(['a']), { name: 'StoreError', message: /^remove a: EACCES: permission denied/ });
    const unmade = await openFolderStore(join(testFolder.root, 'new'));
    await assert.rejects(unmade.claim(), {
      name: 'StoreError',
      message: /^open object store .*EACCES: permission denied/,
    });
    assert.deepEqual(await read(store, 'a'), bytes);
    assert.deepEqual(await readdir(join(testFolder.root, '.unfinished')), []);
    await chmod(testFolder.root, 0o700);
  });
});

test('throws a StoreError, not ObjectNotFoundError, if the folder is gone or its disk is not mounted', async () => {
  await using testFolder = await makeFolder();
  await testFolder.store.put('u/m/a', toStream(bytes));
  await rename(testFolder.root, join(testFolder.outside, 'away'));
  await mkdir(testFolder.root);
  await assert.rejects(testFolder.store.open('u/m/a'), StoreError);
  await assert.rejects(testFolder.store.stat('u/m/a'), {
    name: 'StoreError',
    message: /^access object store .*ENOENT/,
  });
  await assert.rejects(testFolder.store.file('u/m/a', tmpdir()), StoreError);
  await assert.rejects(testFolder.store.put('u/m/b', toStream(bytes)), StoreError);
  await assert.rejects(testFolder.store.remove(['u/m/a']), StoreError);
  await assert.rejects(listKeys(testFolder.store), StoreError);
  await assert.rejects(testFolder.store.removeUnfinished(inAMinute()), StoreError);
  assert.deepEqual(await readdir(testFolder.root), []);
  await rename(join(testFolder.outside, 'away'), testFolder.root);
  assert.deepEqual(await read(testFolder.store, 'u/m/a'), bytes);
});

test('throws a StoreError for a file in place of the folder', async () => {
  await using testFolder = await makeFolder();
  await writeFile(join(testFolder.outside, 'file'), '');
  const store = await openFolderStore(join(testFolder.outside, 'file'));
  await assert.rejects(store.claim(), { name: 'StoreError', message: /outside\/file/ });
});

const namespaceTool = 'unshare';
const mountSmallDisk = ['-Urm', 'sh', '-c', 'mount -t tmpfs -o size=4m none "$1" && shift && exec "$@"', 'sh'];
const cannotMount =
  spawnSync(namespaceTool, [...mountSmallDisk, tmpdir(), 'true']).status !== 0 &&
  'a small disk cannot be mounted in a user namespace';

test('throws a StoreFullError on a full disk and leaves nothing', { skip: cannotMount }, async () => {
  await using testFolder = await makeFolder();
  const { stdout } = await promisify(execFile)(namespaceTool, [
    ...mountSmallDisk,
    testFolder.root,
    process.execPath,
    ...childProgram(`
      const megabytes = (count) => Readable.from(Array.from({ length: count }, () => Buffer.alloc(1e6)));
      await store.put('u/m/old', megabytes(1));
      const error = await store.put('u/m/old', megabytes(9)).catch((error) => error);
      const left = await Array.fromAsync(store.list(''), ({ key, sizeBytes }) => [key, sizeBytes]);
      const unfinished = await store.removeUnfinished(new Date(Date.now() + 60_000));
      const next = await store.put('u/m/new', megabytes(1));
      console.log(JSON.stringify({ name: error.name, code: error.cause.code, left, unfinished, next }));`),
    testFolder.root,
  ]);
  assert.deepEqual(JSON.parse(stdout), {
    name: 'StoreFullError',
    code: 'ENOSPC',
    left: [['u/m/old', 1e6]],
    unfinished: 0,
    next: 1e6,
  });
});

/** Drops privileges for `work` if the test runs as root, who may write everywhere. */
const withoutPrivileges = async (
  { root, store }: TestFolder,
  work: (store: ObjectStore) => Promise<void>,
): Promise<void> => {
  if (process.geteuid?.() !== 0) return work(store);
  const nobody = 65_534;
  for (const path of [join(root, '..', '..'), ...(await readdir(root)).map((name) => join(root, name)), root]) {
    await chown(path, nobody, nobody);
  }
  await chmod(join(root, '..'), 0o755);
  process.seteuid?.(nobody);
  try {
    await work(store);
  } finally {
    process.seteuid?.(0);
  }
};
