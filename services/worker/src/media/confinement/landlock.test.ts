import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { openSurroundings } from '../testing/takenOver.ts';

const surroundings = await openSurroundings();
after(async () => surroundings[Symbol.asyncDispose]());

const confinement = await surroundings.open('landlock');

// Of distributions only those with util-linux 2.40 have what it needs, as the image has.
test(
  'a decoder that was taken over may send signals, and gets nothing else',
  { skip: confinement.kind === 'none' && confinement.weaker.join() },
  async () => {
    const before = await readFile(surroundings.original, 'utf8');
    assert.deepEqual(await surroundings.attack(confinement), ['signal']);
    assert.equal(await readFile(surroundings.original, 'utf8'), before);
  },
);
