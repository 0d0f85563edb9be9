import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { imageNetRgb, outputOf, toTensor, type RunModel, type Tensor } from '../pixels/tensor.ts';
import { connectedParts, type NumberMap } from './connectedParts.ts';
import { downOf, smallestRectangle, type TurnedRectangle } from './turnedRectangle.ts';

/** The longer side of the picture in which text is found, in pixels: 960 take half as long again, and no more of the words in the test media are read (2026-11). */
export const textSide = 768;

/** The model marks the middle of a line: a pixel belongs to it above this (https://arxiv.org/abs/1911.08947, as the next three). */
const minPixel = 0.3;

/** The mean of a line's pixels below which it is none. */
const minMean = 0.5;

/** By how much the middle of a line is thinner than the line: its edges are moved out by `outset` × area ÷ perimeter. */
const outset = 1.6;

/** The shorter side of the middle of a line, in pixels: smaller ones are specks. */
const minSide = 3;

/** Lines that are read of one picture: a page of a newspaper has fewer. It bounds the time that a wall of letters takes. */
const mostLines = 300;

/** Finds lines of text, in pixels of the picture, with PP-OCRv4. `pixels` has a longer side of at most `textSide`. */
export const detectText = async (run: RunModel, pixels: RgbPixels): Promise<TurnedRectangle[]> =>
  readLines(await mapText(run, pixels));

/** For each pixel whether it is in the middle of a line of text, 0 to 1. */
export async function mapText(run: RunModel, pixels: RgbPixels): Promise<NumberMap> {
  const outputs = await run('ppocr-v4-detection', { x: prepareText(pixels) });
  const { data, dims } = outputOf(outputs, 'sigmoid_0.tmp_0');
  return { data, width: dims[3]!, height: dims[2]! };
}

/** The picture with grey at the right and below, since the model takes multiples of 32 pixels. */
export const prepareText = (pixels: RgbPixels): Tensor =>
  toTensor(pixels, imageNetRgb, { width: multipleOf32(pixels.width), height: multipleOf32(pixels.height), fill: 0 });

/** The lines of text that the map of the model shows, those with the largest middle first where there are too many. */
export function readLines(map: NumberMap): TurnedRectangle[] {
  const lines = connectedParts(map, minPixel).flatMap((part) => {
    const middle = smallestRectangle(part);
    const isLine = Math.min(middle.width, middle.height) >= minSide && meanWithin(map, middle) > minMean;
    return isLine ? [widen(middle)] : [];
  });
  if (lines.length <= mostLines) return lines;
  return lines.toSorted((a, b) => b.width * b.height - a.width * a.height).slice(0, mostLines);
}

const widen = (middle: TurnedRectangle): TurnedRectangle => {
  const { width, height } = middle;
  const distance = (outset * width * height) / (2 * (width + height));
  // Positions of pixels become those of their centres.
  const centre = { x: middle.centre.x + 0.5, y: middle.centre.y + 0.5 };
  return { ...middle, centre, width: width + 2 * distance, height: height + 2 * distance };
};

/** The mean of the pixels in a rectangle; 0 where there are none. */
const meanWithin = ({ data, width, height }: NumberMap, rectangle: TurnedRectangle): number => {
  const { centre, across } = rectangle;
  const down = downOf(rectangle);
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

/** Pixels on the edge belong to the rectangle, however it was rounded. */
const rounding = 1e-6;

const multipleOf32 = (pixels: number): number => 32 * Math.ceil(pixels / 32);
