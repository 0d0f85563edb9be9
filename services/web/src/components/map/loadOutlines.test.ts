import { expect, test } from 'vitest';
import { unwrapRing } from './loadOutlines.ts';

test('a ring across the 180th meridian goes on beyond it', () => {
  const ring = [
    [170, 60],
    [-170, 60],
    [-170, 70],
    [170, 70],
    [170, 60],
  ];
  expect(unwrapRing(ring)).toEqual([
    [170, 60],
    [190, 60],
    [190, 70],
    [170, 70],
    [170, 60],
  ]);
});

test('a ring around the south pole is closed along it', () => {
  const ring = [
    [-120, -70],
    [0, -75],
    [120, -72],
    [-120, -70],
  ];
  expect(unwrapRing(ring)).toEqual([
    [-120, -70],
    [0, -75],
    [120, -72],
    [240, -70],
    [240, -90],
    [-120, -90],
    [-120, -70],
  ]);
});

test('a ring that crosses nothing stays as it is', () => {
  const ring = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 0],
  ];
  expect(unwrapRing(ring)).toEqual(ring);
});
