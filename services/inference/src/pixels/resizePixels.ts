import { findLargest, longerSide, type PictureSizes, type RgbPixels } from './rgbPixels.ts';

/** A part of a picture, in pixels from its upper left corner. */
export interface Window {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the picture with a longer side of at most `side` pixels: one of the sizes if it fits, otherwise scaled from
 * the next larger one. Never enlarges.
 */
export function pixelsAtMost(sizes: PictureSizes, side: number): RgbPixels {
  const wanted = Math.min(side, longerSide(findLargest(sizes)));
  const fitting = sizes.find((each) => longerSide(each) === wanted);
  if (fitting !== undefined) return fitting;
  const larger = sizes.filter((each) => longerSide(each) > wanted);
  const source = larger.reduce((best, each) => (longerSide(each) < longerSide(best) ? each : best));
  const scale = wanted / longerSide(source);
  return resizePixels(
    source,
    Math.max(1, Math.round(source.width * scale)),
    Math.max(1, Math.round(source.height * scale)),
  );
}

/**
 * Scales a picture and returns the given part of the result. Each pixel is the mean of the pixels it covers, weighted
 * by a triangle two pixels wide (two pixels of the smaller picture). This neither blurs nor aliases: a model gets the
 * same picture from any source size.
 */
export function resizePixels(
  source: RgbPixels,
  width: number,
  height: number,
  window: Window = { left: 0, top: 0, width, height },
): RgbPixels {
  const columns = triangleWeights(source.width, width, window.left, window.width);
  const rows = triangleWeights(source.height, height, window.top, window.height);
  // Scales vertically first, which leaves fewer rows to scale horizontally.
  const first = 3 * columns.begins[0]!;
  const line = new Float64Array(3 * (columns.begins.at(-1)! + columns.taps) - first);
  const data = new Uint8ClampedArray(3 * window.width * window.height);
  for (let y = 0; y < window.height; y += 1) {
    line.fill(0);
    for (let i = 0; i < rows.taps; i += 1) {
      const from = 3 * (rows.begins[y]! + i) * source.width + first;
      addLine(source.data, from, rows.weights[y * rows.taps + i]!, line);
    }
    narrowLine(line, first, columns, data, 3 * window.width * y);
  }
  return { data: new Uint8Array(data.buffer), width: window.width, height: window.height };
}

/**
 * Source pixels and weights of each target pixel. All have `taps` source pixels; those outside of the triangle have
 * weight 0.
 */
interface Weights {
  readonly taps: number;
  /** The first source pixel of each target pixel. */
  readonly begins: Int32Array;
  /** `taps` weights for each target pixel, which add up to 1. */
  readonly weights: Float32Array;
}

const triangleWeights = (from: number, to: number, first: number, count: number): Weights => {
  const scale = from / to;
  const reach = Math.max(1, scale);
  const taps = Math.min(from, Math.ceil(2 * reach) + 1);
  const begins = new Int32Array(count);
  const weights = new Float32Array(count * taps);
  for (let i = 0; i < count; i += 1) {
    const centre = (first + i + 0.5) * scale;
    const begin = Math.min(from - taps, Math.max(0, Math.floor(centre - reach)));
    const raw = Array.from({ length: taps }, (_, k) => Math.max(0, 1 - Math.abs(begin + k + 0.5 - centre) / reach));
    const sum = raw.reduce((total, weight) => total + weight, 0);
    begins[i] = begin;
    for (const [k, weight] of raw.entries()) weights[i * taps + k] = weight / sum;
  }
  return { taps, begins, weights };
};

/**
 * Adds a weighted row. A separate function, like the next one, so that V8 optimizes it: these two take most of the
 * time.
 */
const addLine = (source: Uint8Array, from: number, weight: number, line: Float64Array): void => {
  for (let x = 0; x < line.length; x += 1) line[x]! += weight * source[from + x]!;
};

/** Scales a row horizontally. `line` starts at number `first` of the picture's row. */
const narrowLine = (
  line: Float64Array,
  first: number,
  { taps, begins, weights }: Weights,
  target: Uint8ClampedArray,
  to: number,
): void => {
  for (let x = 0; x < begins.length; x += 1) {
    let [red, green, blue] = [0, 0, 0];
    let from = 3 * begins[x]! - first;
    for (let i = x * taps; i < (x + 1) * taps; i += 1, from += 3) {
      const weight = weights[i]!;
      red += weight * line[from]!;
      green += weight * line[from + 1]!;
      blue += weight * line[from + 2]!;
    }
    // A Uint8ClampedArray rounds to the nearest integer.
    target[to + 3 * x] = red;
    target[to + 3 * x + 1] = green;
    target[to + 3 * x + 2] = blue;
  }
};
