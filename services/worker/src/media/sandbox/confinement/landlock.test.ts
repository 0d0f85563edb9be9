import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { exhaustDisk } from '@hearth/testkit/decoders/exhaustDisk.ts';
import { startSurroundings } from '@hearth/testkit/decoders/compromisedDecoder.ts';
import { notRequired } from '@hearth/testkit/run/tools.ts';

const surroundings = await startSurroundings();
after(async () => surroundings[Symbol.asyncDispose]());

const confinement = await surroundings.open('landlock');

// Landlock needs util-linux 2.40. The container image has it, but older distributions do not.
const skip = confinement.kind === 'none' && `${confinement.failures.join()} ${notRequired}`;

test('lets a compromised decoder send signals, but nothing else', { skip }, async () => {
  const before = await readFile(surroundings.original, 'utf8');
  assert.deepEqual(await surroundings.attack(confinement), ['signal']);
  assert.equal(await readFile(surroundings.original, 'utf8'), before);
});

test('limits a writing child to one file of limited length', { skip }, async () => {
  assert.deepEqual(await exhaustDisk(confinement.createSandbox('write')), ['a file']);
});
