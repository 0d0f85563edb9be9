import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import { smallestRectangle } from './rotatedRectangle.ts';

/** Returns the points of a grid in a rotated rectangle, with its corners. */
const makeGrid = (angle: number, width: number, height: number): [number, number][] => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [0, 0.25, 0.5, 1].flatMap((u) =>
    [0, 0.5, 1].map((v): [number, number] => {
      const [x, y] = [(u - 0.5) * width, (v - 0.5) * height];
      return [50 + x * cos - y * sin, 60 + x * sin + y * cos];
    }),
  );
};

test('recovers a rotated rectangle, with its width closer to horizontal', () => {
  const sides = fc.double({ min: 1, max: 40, noNaN: true });
  fc.assert(
    fc.property(fc.double({ min: -1.5, max: 1.5, noNaN: true }), sides, sides, (angle, width, height) => {
      const found = smallestRectangle(makeGrid(angle, width, height));
      assert.ok(Math.abs(found.width * found.height - width * height) < 1e-3 * width * height + 1e-6);
      assert.ok(Math.abs(found.centre.x - 50) < 1e-3 && Math.abs(found.centre.y - 60) < 1e-3);
      assert.ok(found.across.x >= Math.abs(found.across.y) - 1e-9);
    }),
  );
});

test('returns a rectangle without area for collinear points and a single one', () => {
  assert.deepEqual(smallestRectangle([[3, 4]]), {
    centre: { x: 3, y: 4 },
    across: { x: 1, y: 0 },
    width: 0,
    height: 0,
  });
  const { width, height, centre } = smallestRectangle([
    [0, 0],
    [2, 0],
    [4, 0],
  ]);
  assert.deepEqual([width, height, centre], [4, 0, { x: 2, y: 0 }]);
});
