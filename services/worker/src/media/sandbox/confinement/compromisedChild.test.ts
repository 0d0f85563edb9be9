import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Command } from './childLimits.ts';
import { forkDecoder } from '../processes/forkDecoder.ts';
import { exhaustDisk, diskAttempts } from '@hearth/testkit/decoders/exhaustDisk.ts';
import { attemptCount, startSurroundings } from '@hearth/testkit/decoders/compromisedDecoder.ts';
import { createSandbox } from './sandbox.ts';
import { unconfined } from './confinement.ts';

const surroundings = await startSurroundings();
after(async () => surroundings[Symbol.asyncDispose]());

test('lets an unconfined decoder succeed in all attacks, which shows that they are real', async () => {
  const result = await surroundings.attack(undefined);
  assert.equal(result.length, attemptCount, result.join());
});

test('lets a compromised decoder succeed in no attack', { skip: missingTool('bwrap') }, async () => {
  const confinement = await surroundings.open('bubblewrap');
  assert.deepEqual([confinement.kind, confinement.failures], ['bubblewrap', []]);
  const before = await readFile(surroundings.original, 'utf8');
  assert.deepEqual(await surroundings.attack(confinement), []);
  assert.equal(await readFile(surroundings.original, 'utf8'), before);
});

const run = ([file, ...args]: Command) => promisify(execFile)(file, args);

test(
  'does not let a decoder create a user namespace, where it would be root',
  { skip: missingTool('bwrap') },
  async () => {
    const sandbox = (await surroundings.open('bubblewrap')).createSandbox('read');
    const inNamespace = ['/usr/bin/unshare', '--user', '/bin/true'] as const;
    await run(inNamespace);
    await assert.rejects(run(sandbox.confine(inNamespace)), /unshare failed/);
    await sandbox.remove();
  },
);

test("gives a decoder no descriptor of the worker's log, which it could read and truncate", async () => {
  const program = new URL('../testing/compromisedChild.ts', import.meta.url);
  const child = forkDecoder(program, [], unconfined, { openFiles: 256 });
  try {
    for (const fd of [1, 2])
      assert.equal(await readlink(`/proc/${child.pid}/fd/${fd}`), '/dev/null', `descriptor ${fd}`);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});

test('lets an unconfined writing child use any disk space, which shows that the attempts are real', async () => {
  const folder = join(surroundings.scratchDirectory, 'sandbox-free');
  assert.deepEqual(
    await exhaustDisk(createSandbox(folder, 'write', { confine: (command) => command, processes: 1 })),
    diskAttempts,
  );
});

test('limits a writing child to one file of limited length', { skip: missingTool('bwrap') }, async () => {
  assert.deepEqual(await exhaustDisk((await surroundings.open('bubblewrap')).createSandbox('write')), ['a file']);
});

test('frees the disk space of the output file that a running child keeps', async () => {
  const { scratchDirectory } = surroundings;
  const sandbox = createSandbox(join(scratchDirectory, 'sandbox-kept'), 'write', {
    confine: (command) => command,
    processes: 1,
  });
  const [output, target] = [sandbox.getOutputPath('preview'), join(scratchDirectory, 'preview')];
  await writeFile(output, Buffer.alloc(1e6, 1));
  await using handle = await open(output, 'r');
  await sandbox.copyOutput(target);
  await sandbox.clear();
  assert.equal((await stat(target)).size, 1e6);
  const { size, blocks, nlink } = await handle.stat();
  assert.deepEqual({ size, blocks, nlink }, { size: 0, blocks: 0, nlink: 1 });
  await sandbox.remove();
});
