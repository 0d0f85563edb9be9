import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { DataDirectoryInUseError, lockDataDirectory } from './dataDirectoryLock.ts';

const makeDirectory = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-lock-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
};

/** Starts a process that takes the lock. Returns it with the first line it prints. */
const startHolder = async (
  t: TestContext,
  directory: string,
): Promise<{ holder: ChildProcessByStdio<null, Readable, null>; output: string }> => {
  const source = `
    import { lockDataDirectory } from ${JSON.stringify(new URL('dataDirectoryLock.ts', import.meta.url).href)};
    try { lockDataDirectory(process.argv[1]); console.log('locked'); } catch (error) { console.log(error.name); }
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', source, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => holder.kill('SIGKILL'));
  const [output] = (await once(holder.stdout, 'data')) as [Buffer];
  return { holder, output: output.toString().trim() };
};

test('rejects a second process while the first one runs', async (t) => {
  const directory = await makeDirectory(t);
  assert.equal((await startHolder(t, directory)).output, 'locked');
  assert.equal((await startHolder(t, directory)).output, 'DataDirectoryInUseError');
  assert.throws(
    () => lockDataDirectory(directory),
    (error) => error instanceof DataDirectoryInUseError && error.message.includes(directory),
  );
});

test('releases the lock when its process is killed with SIGKILL', async (t) => {
  const directory = await makeDirectory(t);
  const { holder } = await startHolder(t, directory);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  lockDataDirectory(directory).release();
});

test('rejects a second lock in the same process until the first is released', async (t) => {
  const directory = await makeDirectory(t);
  const lock = lockDataDirectory(directory);
  assert.throws(() => lockDataDirectory(directory), DataDirectoryInUseError);
  lock.release();
  lockDataDirectory(directory).release();
});

test('does not report a missing folder as in use', () => {
  assert.throws(
    () => lockDataDirectory('/nonexistent/hearth'),
    (error) => !(error instanceof DataDirectoryInUseError),
  );
});
