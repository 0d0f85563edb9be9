import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { exhaustDisk } from '@hearth/testkit/decoders/exhaustDisk.ts';
import { openSurroundings } from '@hearth/testkit/decoders/takenOver.ts';
import { notRequired } from '@hearth/testkit/run/tools.ts';

const surroundings = await openSurroundings();
after(async () => surroundings[Symbol.asyncDispose]());

const confinement = await surroundings.open('landlock');

// Of distributions only those with util-linux 2.40 have what it needs, as the image has.
const skip = confinement.kind === 'none' && `${confinement.weaker.join()} ${notRequired}`;

test('a decoder that was taken over may send signals, and gets nothing else', { skip }, async () => {
  const before = await readFile(surroundings.original, 'utf8');
  assert.deepEqual(await surroundings.attack(confinement), ['signal']);
  assert.equal(await readFile(surroundings.original, 'utf8'), before);
});

test('what writes a file has one, which is as long as the system lets it be', { skip }, async () => {
  assert.deepEqual(await exhaustDisk(confinement.openBox('write')), ['a file']);
});
