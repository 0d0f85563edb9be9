import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchFaces, type FaceBox } from './matchFaces.ts';

const box = (left: number, top = 0, width = 0.2, height = 0.2): FaceBox => ({ left, top, width, height });

const key = ({ left, top, width, height }: FaceBox): string => [left, top, width, height].join(' ');

test('a face that was found a little elsewhere is the same one, whatever order they come in', () => {
  assert.deepEqual(matchFaces([box(0.1), box(0.6)], [box(0.61, 0.01), box(0.11), box(0.3, 0.5)]), [1, 0, undefined]);
});

test('a box that shares less than half with another, or only touches it, is of another face', () => {
  assert.deepEqual(matchFaces([box(0)], [box(0.1)]), [undefined]);
  assert.deepEqual(matchFaces([box(0)], [box(0.2), box(0, 0.2)]), [undefined, undefined]);
  assert.deepEqual(matchFaces([box(0, 0, 0, 0)], [box(0, 0, 0, 0)]), [undefined]);
});

test('of two that fit an earlier face, the better one is it', () => {
  assert.deepEqual(matchFaces([box(0)], [box(0.05), box(0.01)]), [undefined, 0]);
});

test('the same faces once more are each the same, and no earlier one is two', () => {
  const fraction = fc.double({ min: 0.05, max: 0.5, noNaN: true });
  const boxes = fc.array(fc.record({ left: fraction, top: fraction, width: fraction, height: fraction }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(boxes, boxes, (earlier, found) => {
      const same = matchFaces(earlier, earlier).map((index) => key(earlier[index!]!));
      assert.deepEqual(same, earlier.map(key));
      const matched = matchFaces(earlier, found).filter((index) => index !== undefined);
      assert.equal(new Set(matched).size, matched.length);
    }),
  );
});
