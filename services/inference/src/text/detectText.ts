import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { imageNetRgb, getOutput, toTensor, type RunModel, type Tensor } from '../pixels/tensor.ts';
import { connectedParts, type NumberMap } from './connectedParts.ts';
import { getDownVector, smallestRectangle, type RotatedRectangle } from './rotatedRectangle.ts';

/**
 * Longer side of the picture for detection, in pixels. 960 takes 1.5 times as long and reads no more of the words in
 * the test media (2026-11).
 */
export const textSide = 768;

/**
 * The model marks the core of a line: pixels above this value belong to it. This and the next three constants are from
 * https://arxiv.org/abs/1911.08947.
 */
const minPixel = 0.3;

/** Minimum mean of a line's pixels. */
const minMean = 0.5;

/** The core of a line is thinner than the line: its edges are moved out by `outset` × area ÷ perimeter. */
const outset = 1.6;

/** Minimum shorter side of a core, in pixels. Smaller ones are specks. */
const minSide = 3;

/** Maximum number of lines per picture, which limits the time. A newspaper page has fewer. */
const maxLines = 300;

/** Detects lines of text with PP-OCRv4, in pixels of the picture. The longer side of `pixels` is at most `textSide`. */
export const detectText = async (run: RunModel, pixels: RgbPixels): Promise<RotatedRectangle[]> =>
  readLines(await mapText(run, pixels));

/** Returns the probability of each pixel to belong to the core of a line, 0 to 1. */
export async function mapText(run: RunModel, pixels: RgbPixels): Promise<NumberMap> {
  const outputs = await run('ppocr-v4-detection', { x: prepareText(pixels) });
  const { data, dims } = getOutput(outputs, 'sigmoid_0.tmp_0');
  return { data, width: dims[3]!, height: dims[2]! };
}

/** Pads the picture with grey on the right and below, to multiples of 32 pixels, which the model requires. */
export const prepareText = (pixels: RgbPixels): Tensor =>
  toTensor(pixels, imageNetRgb, { width: multipleOf32(pixels.width), height: multipleOf32(pixels.height), fill: 0 });

/** Returns the lines in the model's map. If there are too many, those with the largest area. */
export function readLines(map: NumberMap): RotatedRectangle[] {
  const lines = connectedParts(map, minPixel).flatMap((part) => {
    const core = smallestRectangle(part);
    const isLine = Math.min(core.width, core.height) >= minSide && meanWithin(map, core) > minMean;
    return isLine ? [widen(core)] : [];
  });
  if (lines.length <= maxLines) return lines;
  return lines.toSorted((a, b) => b.width * b.height - a.width * a.height).slice(0, maxLines);
}

const widen = (core: RotatedRectangle): RotatedRectangle => {
  const { width, height } = core;
  const distance = (outset * width * height) / (2 * (width + height));
  // Converts pixel indexes to positions of pixel centres.
  const centre = { x: core.centre.x + 0.5, y: core.centre.y + 0.5 };
  return { ...core, centre, width: width + 2 * distance, height: height + 2 * distance };
};

/** Returns the mean of the pixels in a rectangle, or 0 without pixels. */
const meanWithin = ({ data, width, height }: NumberMap, rectangle: RotatedRectangle): number => {
  const { centre, across } = rectangle;
  const down = getDownVector(rectangle);
  const reachX = (Math.abs(across.x) * rectangle.width + Math.abs(down.x) * rectangle.height) / 2;
  const reachY = (Math.abs(across.y) * rectangle.width + Math.abs(down.y) * rectangle.height) / 2;
  let [sum, count] = [0, 0];
  for (let y = Math.max(0, Math.floor(centre.y - reachY)); y <= Math.min(height - 1, centre.y + reachY + 1); y += 1)
    for (let x = Math.max(0, Math.floor(centre.x - reachX)); x <= Math.min(width - 1, centre.x + reachX + 1); x += 1) {
      const [dx, dy] = [x - centre.x, y - centre.y];
      if (Math.abs(dx * across.x + dy * across.y) > rectangle.width / 2 + rounding) continue;
      if (Math.abs(dx * down.x + dy * down.y) > rectangle.height / 2 + rounding) continue;
      sum += data[y * width + x]!;
      count += 1;
    }
  return count === 0 ? 0 : sum / count;
};

/** Tolerance for pixels on the edge. */
const rounding = 1e-6;

const multipleOf32 = (pixels: number): number => 32 * Math.ceil(pixels / 32);
