import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFaces } from '../../testing/madeFaces.ts';
import { cosineOf, withLook, type Look } from './personLooks.ts';

test('faces of one person are one look, and those of two who are unlike are two, however many more there are of one', () => {
  const made = makeFaces(41);
  const [grown, child] = [made.person(), made.person()];
  const faces = [...Array.from({ length: 40 }, () => made.faceOf(grown, 0.9)), made.faceOf(child, 0.9)];
  const looks = [...faces, made.faceOf(child, 0.9)]
    .map((centroid) => ({ centroid, faces: 1 }))
    .reduce<readonly Look[]>(withLook, []);
  assert.deepEqual(
    looks.map((look) => look.faces),
    [40, 2],
  );
  for (const [at, look] of [grown, child].entries()) assert.ok(cosineOf(looks[at]!.centroid, look) > 0.9);
});
