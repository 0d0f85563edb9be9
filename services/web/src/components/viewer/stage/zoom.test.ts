import { describe, expect, test } from 'vitest';
import {
  getDoubleClickScale,
  fitInto,
  fittedView,
  getMaxScale,
  needsMorePixels,
  getPreviewWidth,
  clampView,
  zoomAround,
  type Point,
  type View,
} from './zoom.ts';

const stage = { width: 1200, height: 800 };
const landscape = { width: 1200, height: 600 };
const limits = { fit: landscape, stage, maxScale: 5 };

describe('fits a picture into the stage', () => {
  test.each([
    ['a panorama by its width', 6, { width: 1200, height: 200 }],
    ['a portrait by its height', 0.5, { width: 400, height: 800 }],
    ['a picture of the same ratio completely', 1.5, { width: 1200, height: 800 }],
  ])('%s', (_, ratio, size) => {
    expect(fitInto(stage, ratio)).toEqual(size);
  });
});

describe('zoom', () => {
  test.each([
    ['from the whole picture', fittedView, 3, { x: 200, y: 100 }],
    ['further in', { scale: 3, x: -400, y: -200 }, 4.5, { x: -100, y: 50 }],
    ['out again', { scale: 5, x: 100, y: 50 }, 4, { x: 30, y: -20 }],
  ])('keeps the point under the pointer in place: %s', (_, view, scale, point) => {
    const zoomed = zoomAround(view, scale, point, limits);
    expect(under(zoomed, point).x).toBeCloseTo(under(view, point).x);
    expect(under(zoomed, point).y).toBeCloseTo(under(view, point).y);
  });

  test('is limited to the fitted picture and the pixels of the original', () => {
    expect(zoomAround({ scale: 2, x: 300, y: 100 }, 0.5, { x: 500, y: 0 }, limits)).toEqual(fittedView);
    expect(zoomAround(fittedView, 99, { x: 0, y: 0 }, limits).scale).toBe(5);
  });

  test('leaves no empty stripe beside a picture larger than the stage', () => {
    // At scale 2 it is 2400 × 1200, so the offsets are limited to 600 and 200.
    expect(clampView({ scale: 2, x: 9_000, y: -9_000 }, landscape, stage)).toEqual({ scale: 2, x: 600, y: -200 });
    expect(clampView({ scale: 1.2, x: 0, y: 50 }, landscape, stage)).toEqual({ scale: 1.2, x: 0, y: 0 });
  });

  test('is limited to one original pixel per CSS pixel, or to scale 2 for small pictures', () => {
    expect(getMaxScale(landscape, 6000)).toBe(5);
    expect(getMaxScale(landscape, 300)).toBe(2);
    expect(getMaxScale(landscape, undefined)).toBe(2);
    expect(getMaxScale({ width: 0, height: 0 }, 6000)).toBe(2);
  });

  test.each([
    ['a landscape', landscape, 6000, 1440],
    ['a portrait, whose longer side is its height', { width: 400, height: 800 }, 3000, 720],
    ['a smaller picture', landscape, 300, 300],
    ['a picture of unknown size', landscape, undefined, 1440],
  ])('is limited to the preview pixels without an original: %s', (_, fit, originalWidth, expected) => {
    expect(getPreviewWidth(fit, originalWidth)).toBe(expected);
  });

  test.each([
    ['zooms in far enough to show faces', 1, 5, 2.5],
    ['zooms in only to the maximum scale', 1, 2, 2],
    ['zooms out to the whole picture', 1.7, 5, 1],
  ])('double click %s', (_, scale, maxScale, expected) => {
    expect(getDoubleClickScale(scale, maxScale)).toBe(expected);
  });
});

test.each([
  ['not for the whole picture, at any pixel density', fittedView, 3, false],
  ['not for a small zoom within the pixels of the preview', { scale: 1.15, x: 0, y: 0 }, 1, false],
  ['for a zoom beyond the pixels of the preview', { scale: 2, x: 0, y: 0 }, 1, true],
  ['for a small zoom on a high-density screen', { scale: 1.15, x: 0, y: 0 }, 2, true],
])('detects when the original is needed: %s', (_, view, devicePixelRatio, expected) => {
  expect(needsMorePixels(view, landscape, 1440, devicePixelRatio)).toBe(expected);
});

/** Returns the point of the fitted picture under a point of the stage, relative to its centre. */
function under(view: View, point: Point): Point {
  return { x: (point.x - view.x) / view.scale, y: (point.y - view.y) / view.scale };
}
