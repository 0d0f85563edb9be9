import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unwrapRing } from './land.ts';

test('leaves a ring inside the map unchanged', () => {
  const ring = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 0],
  ] as const;
  assert.deepEqual(unwrapRing(ring), [ring]);
});

test('places a ring across the date line at both edges of the map', () => {
  const ring = [
    [170, 0],
    [-170, 0],
    [-170, 10],
    [170, 10],
    [170, 0],
  ] as const;
  assert.deepEqual(unwrapRing(ring), [
    [
      [170, 0],
      [190, 0],
      [190, 10],
      [170, 10],
      [170, 0],
    ],
    [
      [-190, 0],
      [-170, 0],
      [-170, 10],
      [-190, 10],
      [-190, 0],
    ],
  ]);
});

test('closes a ring around the South Pole along the lower edge of the map', () => {
  const [ring] = unwrapRing([
    [-120, -70],
    [0, -70],
    [120, -70],
    [-120, -70],
  ]);
  assert.deepEqual(ring, [
    [-120, -70],
    [0, -70],
    [120, -70],
    [240, -70],
    [240, -90],
    [-120, -90],
    [-120, -70],
  ]);
});
