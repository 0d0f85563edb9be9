import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { link, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { missingTool } from '@hearth/core/testing/tools.ts';
import type { Command } from '../childLimits.ts';
import { forkDecoder } from '../forkDecoder.ts';
import { attempts, openSurroundings } from '../testing/takenOver.ts';
import { unconfined } from './confinement.ts';

const surroundings = await openSurroundings();
after(async () => surroundings[Symbol.asyncDispose]());

test('a decoder that is not confined gets all of it: the attempts are real', async () => {
  const got = await surroundings.attack(undefined);
  assert.equal(got.length, attempts, got.join());
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

test('what it leaves in place of a result is not followed', { skip: missingTool('bwrap') }, async () => {
  const { secrets, scratchDirectory } = surroundings;
  const box = (await surroundings.open('bubblewrap')).openBox('write');
  const target = join(scratchDirectory, 'result.mp4');
  for (const leave of [symlink, link]) {
    await leave(secrets, box.place(target));
    await assert.rejects(box.collect(target), /no plain file/);
    await assert.rejects(readFile(target), { code: 'ENOENT' });
  }
  assert.equal(await readFile(secrets, 'utf8'), 'precious');
  await box.remove();
});
