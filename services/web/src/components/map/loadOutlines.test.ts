import { expect, test } from 'vitest';
import { unwrapRing } from './loadOutlines.ts';

test('continues a ring across the 180th meridian beyond it', () => {
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

test('closes a ring around the south pole along the pole', () => {
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

test('returns other rings unchanged', () => {
  const ring = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 0],
  ];
  expect(unwrapRing(ring)).toEqual(ring);
});
