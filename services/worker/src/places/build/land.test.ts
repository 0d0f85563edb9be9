import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layFlat } from './land.ts';

test('a ring within the map stays as it is', () => {
  const ring = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 0],
  ] as const;
  assert.deepEqual(layFlat(ring), [ring]);
});

test('a ring across the date line lies on both edges of the map', () => {
  const ring = [
    [170, 0],
    [-170, 0],
    [-170, 10],
    [170, 10],
    [170, 0],
  ] as const;
  assert.deepEqual(layFlat(ring), [
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

test('a ring around the south pole is closed along the lower edge of the map', () => {
  const [ring] = layFlat([
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
