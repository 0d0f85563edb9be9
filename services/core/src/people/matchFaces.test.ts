import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import { makeFaceGenerator } from '@hearth/testkit/rows/generatedFaces.ts';
import { matchFaces, type PlacedFace } from './matchFaces.ts';

const box = (left: number, top = 0, width = 0.2, height = 0.2): PlacedFace => ({ box: { left, top, width, height } });

const at = (left: number, embedding: Float32Array): PlacedFace => ({ ...box(left), embedding });

const key = ({ box: { left, top, width, height } }: PlacedFace): string => [left, top, width, height].join(' ');

test('matches a face whose box moved a little, in any order', () => {
  assert.deepEqual(matchFaces([box(0.1), box(0.6)], [box(0.61, 0.01), box(0.11), box(0.3, 0.5)]), [1, 0, undefined]);
});

test('does not match boxes that overlap little or only touch', () => {
  assert.deepEqual(matchFaces([box(0)], [box(0.11)]), [undefined]);
  assert.deepEqual(matchFaces([box(0)], [box(0.2), box(0, 0.2)]), [undefined, undefined]);
  assert.deepEqual(matchFaces([box(0, 0, 0, 0)], [box(0, 0, 0, 0)]), [undefined]);
});

test('matches a box that moved by half without a better match', () => {
  assert.deepEqual(matchFaces([box(0)], [box(0.1)]), [0]);
  assert.deepEqual(matchFaces([box(0)], [box(0.1), box(0.02)]), [undefined, 0]);
});

test('matches a similar face at any position, unless another face matches by position', () => {
  const generator = makeFaceGenerator(3);
  const [one, other] = [generator.person(), generator.person()];
  const earlier = [at(0, one), at(0.6, other)];
  assert.deepEqual(matchFaces(earlier, [at(0.3, generator.makeFace(other, 0.8))]), [1]);
  assert.deepEqual(matchFaces(earlier, [at(0.3, generator.person())]), [undefined]);
  assert.deepEqual(matchFaces(earlier, [at(0.3, one), at(0.01, other)]), [undefined, 0]);
});

test('matches the better of two boxes', () => {
  assert.deepEqual(matchFaces([box(0)], [box(0.05), box(0.01)]), [undefined, 0]);
});

test('matches the same faces to themselves, and no earlier face twice', () => {
  const fraction = fc.double({ min: 0.05, max: 0.5, noNaN: true });
  const boxes = fc.array(
    fc
      .record({ left: fraction, top: fraction, width: fraction, height: fraction })
      .map((each): PlacedFace => ({ box: each })),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(boxes, boxes, (earlier, found) => {
      const same = matchFaces(earlier, earlier).map((index) => key(earlier[index!]!));
      assert.deepEqual(same, earlier.map(key));
      const matched = matchFaces(earlier, found).filter((index) => index !== undefined);
      assert.equal(new Set(matched).size, matched.length);
    }),
  );
});
