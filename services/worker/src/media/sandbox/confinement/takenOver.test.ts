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
import { attemptCount, openSurroundings } from '@hearth/testkit/decoders/takenOver.ts';
import { openBox } from './box.ts';
import { unconfined } from './confinement.ts';

const surroundings = await openSurroundings();
after(async () => surroundings[Symbol.asyncDispose]());

test('a decoder that is not confined gets all of it: the attempts are real', async () => {
  const got = await surroundings.attack(undefined);
  assert.equal(got.length, attemptCount, got.join());
});

test('a decoder that was taken over gets nothing of it', { skip: missingTool('bwrap') }, async () => {
  const confinement = await surroundings.open('bubblewrap');
  assert.deepEqual([confinement.kind, confinement.weaker], ['bubblewrap', []]);
  const before = await readFile(surroundings.original, 'utf8');
  assert.deepEqual(await surroundings.attack(confinement), []);
  assert.equal(await readFile(surroundings.original, 'utf8'), before);
});

const run = ([file, ...args]: Command) => promisify(execFile)(file, args);

test('a decoder makes no namespace, in which it would be root', { skip: missingTool('bwrap') }, async () => {
  const box = (await surroundings.open('bubblewrap')).openBox('read');
  const inNamespace = ['/usr/bin/unshare', '--user', '/bin/true'] as const;
  await run(inNamespace);
  await assert.rejects(run(box.confine(inNamespace)), /unshare failed/);
  await box.remove();
});

test('a decoder holds nothing that the worker writes its log to: by its descriptor it could read and shorten it', async () => {
  const program = new URL('../testing/takenOverChild.ts', import.meta.url);
  const child = forkDecoder(program, [], unconfined, { openFiles: 256 });
  try {
    for (const fd of [1, 2])
      assert.equal(await readlink(`/proc/${child.pid}/fd/${fd}`), '/dev/null', `descriptor ${fd}`);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});

test('what writes a file and is not confined takes of the disk what it likes: the attempts are real', async () => {
  const folder = join(surroundings.scratchDirectory, 'box-free');
  assert.deepEqual(
    await exhaustDisk(openBox(folder, 'write', { confine: (command) => command, processes: 1 })),
    diskAttempts,
  );
});

test(
  'what writes a file has one, which is as long as the system lets it be',
  { skip: missingTool('bwrap') },
  async () => {
    assert.deepEqual(await exhaustDisk((await surroundings.open('bubblewrap')).openBox('write')), ['a file']);
  },
);

test('a child that goes on keeps its one file, which gives back its room', async () => {
  const { scratchDirectory } = surroundings;
  const box = openBox(join(scratchDirectory, 'box-kept'), 'write', { confine: (command) => command, processes: 1 });
  const [made, target] = [box.place('preview'), join(scratchDirectory, 'preview')];
  await writeFile(made, Buffer.alloc(1e6, 1));
  await using held = await open(made, 'r');
  await box.copyOut(target);
  await box.clear();
  assert.equal((await stat(target)).size, 1e6);
  const { size, blocks, nlink } = await held.stat();
  assert.deepEqual({ size, blocks, nlink }, { size: 0, blocks: 0, nlink: 1 });
  await box.remove();
});
