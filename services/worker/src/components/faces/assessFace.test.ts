import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Face } from '@hearth/inference/faces/findFaces.ts';
import { getThumbnailArea, assessFace } from './assessFace.ts';

const picture = { width: 1000, height: 800 };

/** A good frontal face of 200 × 250 pixels. */
const good: Face = {
  box: { left: 0.3, top: 0.3, width: 0.2, height: 0.3125 },
  landmarks: [
    { x: 0.36, y: 0.42 },
    { x: 0.44, y: 0.42 },
    { x: 0.4, y: 0.48 },
    { x: 0.37, y: 0.54 },
    { x: 0.43, y: 0.54 },
  ],
  score: 0.95,
  sharpness: 0.12,
  embedding: new Float32Array(128),
};

const scaled = (by: number): Face => ({
  ...good,
  box: { left: 0.3, top: 0.3, width: 0.2 * by, height: 0.3125 * by },
  landmarks: good.landmarks.map(({ x, y }) => ({ x: 0.3 + (x - 0.3) * by, y: 0.3 + (y - 0.3) * by })),
});

const nose = (x: number): Face => ({
  ...good,
  landmarks: good.landmarks.map((each, i) => (i === 2 ? { ...each, x } : each)),
});

test('lets only large, sharp, frontal faces with a high detection score start a new person', () => {
  assert.equal(assessFace(good, picture).isFounding, true);
  const poor: Readonly<Record<string, Face>> = {
    small: scaled(0.2),
    blurred: { ...good, sharpness: 0.005 },
    drawn: { ...good, score: 0.82 },
    'from the side': nose(0.44),
    'from the other side': nose(0.36),
  };
  for (const [what, face] of Object.entries(poor)) assert.equal(assessFace(face, picture).isFounding, false, what);
});

test('rates better faces higher, and every face that may start a person above all others', () => {
  const { quality } = assessFace(good, picture);
  const [smaller, turned, poor] = [scaled(0.5), nose(0.42), scaled(0.2)].map(
    (face) => assessFace(face, picture).quality,
  );
  assert.ok(quality <= 1 && smaller! < quality && turned! < quality);
  assert.ok(poor! < 0.5 && smaller! > 0.5 && turned! > 0.5);
});

const inPixels = (part: ReturnType<typeof getThumbnailArea>) => [
  Math.round(part.left * 1000),
  Math.round(part.top * 500),
  Math.round(part.width * 1000),
  Math.round(part.height * 500),
];

test('frames a face in a square with a margin, inside the picture', () => {
  const wide = { width: 1000, height: 500 };
  const boxes = {
    'in the middle': [{ left: 0.45, top: 0.4, width: 0.1, height: 0.2 }, [410, 160, 180, 180]],
    'in a corner': [{ left: 0, top: 0.8, width: 0.1, height: 0.2 }, [0, 320, 180, 180]],
    'larger than its picture': [{ left: 0.2, top: 0, width: 0.5, height: 1 }, [200, 0, 500, 500]],
  } as const;
  for (const [where, [box, expected]] of Object.entries(boxes))
    assert.deepEqual(inPixels(getThumbnailArea(box, wide)), expected, where);
});
