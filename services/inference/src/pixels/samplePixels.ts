import type { RgbPixels } from './rgbPixels.ts';

/** A position in pixels from the upper left corner of a picture. The centre of the first pixel is 0.5, 0.5. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A parallelogram in a picture, to be sampled into a new picture. */
export interface Grid {
  /** The corner that becomes the upper left one. */
  readonly origin: Point;
  /** The step from one pixel of the new picture to its right neighbour, in pixels of the source. */
  readonly right: Point;
  /** The step to the lower neighbour. */
  readonly down: Point;
  /** Size of the new picture, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Outside of the source picture: black, or the nearest pixel. */
  readonly outside: 'black' | 'edge';
}

/** Maximum samples per side of a pixel. More take time without a visible effect. */
const maxSamples = 4;

/**
 * Cuts a rotated and scaled part out of a picture, with bilinear interpolation. When scaling down, averages several
 * samples per pixel against aliasing.
 */
export function samplePixels(source: RgbPixels, grid: Grid): RgbPixels {
  const { origin, right, down, width, height, outside } = grid;
  const samples = Math.min(maxSamples, Math.max(1, Math.round(Math.max(computeLength(right), computeLength(down)))));
  const sampleWeight = 1 / (samples * samples);
  const data = new Uint8ClampedArray(3 * width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let [red, green, blue] = [0, 0, 0];
      for (let j = 0; j < samples; j += 1)
        for (let i = 0; i < samples; i += 1) {
          const [u, v] = [x + (i + 0.5) / samples, y + (j + 0.5) / samples];
          let fromX = origin.x + u * right.x + v * down.x - 0.5;
          let fromY = origin.y + u * right.y + v * down.y - 0.5;
          if (outside === 'edge') {
            fromX = clamp(fromX, source.width - 1);
            fromY = clamp(fromY, source.height - 1);
          }
          const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
          // The four pixels around the position that lie in the picture.
          for (let dy = 0; dy < 2; dy += 1) {
            const row = top + dy;
            if (row < 0 || row >= source.height) continue;
            const rowWeight = sampleWeight * (dy === 0 ? top + 1 - fromY : fromY - top);
            for (let dx = 0; dx < 2; dx += 1) {
              const column = left + dx;
              if (column < 0 || column >= source.width) continue;
              const weight = rowWeight * (dx === 0 ? left + 1 - fromX : fromX - left);
              const at = 3 * (row * source.width + column);
              red += weight * source.data[at]!;
              green += weight * source.data[at + 1]!;
              blue += weight * source.data[at + 2]!;
            }
          }
        }
      // A Uint8ClampedArray rounds to the nearest integer.
      const to = 3 * (y * width + x);
      data[to] = red;
      data[to + 1] = green;
      data[to + 2] = blue;
    }
  return { data: new Uint8Array(data.buffer), width, height };
}

const computeLength = ({ x, y }: Point): number => Math.hypot(x, y);

const clamp = (value: number, max: number): number => Math.min(max, Math.max(0, value));
