import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { type RunModel, fromMinusOne, getOutput, toTensor, type Tensor } from '../pixels/tensor.ts';
import { cutLine, lineHeight } from './cutLine.ts';
import { getDownVector, type RotatedRectangle } from './rotatedRectangle.ts';

/** Minimum ratio of height to width of a line that is read vertically. */
const uprightRatio = 1.5;

/**
 * Maximum number of lines to classify, the longest ones. The other lines get the same direction. More cost time without
 * changing the result.
 */
const maxChecked = 3;

/** Minimum ratio of width to height of a line to classify. The model is unreliable for one or two letters. */
const minCheckedRatio = 2;

/**
 * Returns the rectangles in their order, turned so that `across` points in the reading direction, in pixels of the
 * picture. Handles pages that lie on their side or upside down: all horizontal lines have one direction, and so do all
 * vertical ones.
 */
export async function readingFrames(
  run: RunModel,
  pixels: RgbPixels,
  rectangles: readonly RotatedRectangle[],
): Promise<RotatedRectangle[]> {
  const isUpright = rectangles.map(({ width, height }) => height >= uprightRatio * width);
  const frames = rectangles.map((each, i) => (isUpright[i] ? turnSideways(each) : each));
  for (const kind of [false, true]) {
    const sameKind = frames.filter((_, i) => isUpright[i] === kind);
    if (await areUpsideDown(run, pixels, sameKind))
      for (const [i, frame] of frames.entries()) if (isUpright[i] === kind) frames[i] = turnUpsideDown(frame);
  }
  return frames;
}

/** Returns true if most of the classified lines are upside down. */
const areUpsideDown = async (
  run: RunModel,
  pixels: RgbPixels,
  frames: readonly RotatedRectangle[],
): Promise<boolean> => {
  const checked = frames
    .filter(({ width, height }) => width >= minCheckedRatio * height)
    .toSorted((a, b) => b.width / b.height - a.width / a.height)
    .slice(0, maxChecked);
  let count = 0;
  for (const frame of checked) if (await isUpsideDown(run, cutLine(pixels, frame))) count += 1;
  return count > checked.length / 2;
};

const turnSideways = (rectangle: RotatedRectangle): RotatedRectangle => ({
  ...rectangle,
  across: getDownVector(rectangle),
  width: rectangle.height,
  height: rectangle.width,
});

const turnUpsideDown = (rectangle: RotatedRectangle): RotatedRectangle => ({
  ...rectangle,
  across: { x: -rectangle.across.x, y: -rectangle.across.y },
});

/** Width of the model's input, in pixels. */
const inputWidth = 192;

/** Minimum probability to turn a line, as in PaddleOCR. */
const minProbability = 0.9;

/** Returns true if a line of `lineHeight` pixels is upside down, by PP-OCR's classifier. */
async function isUpsideDown(run: RunModel, line: RgbPixels): Promise<boolean> {
  const { data } = getOutput(await run('ppocr-v2-direction', { x: prepareDirection(line) }), 'softmax_0.tmp_0');
  return data[1]! > minProbability;
}

/** Cuts the start of the line, or pads it with grey on the right. */
const prepareDirection = (line: RgbPixels): Tensor => {
  const width = Math.min(line.width, inputWidth);
  return toTensor(cutBeginning(line, width), fromMinusOne, { width: inputWidth, height: lineHeight, fill: 0 });
};

const cutBeginning = (line: RgbPixels, width: number): RgbPixels => {
  if (width === line.width) return line;
  const data = new Uint8Array(3 * width * line.height);
  for (let y = 0; y < line.height; y += 1)
    data.set(line.data.subarray(3 * y * line.width, 3 * (y * line.width + width)), 3 * y * width);
  return { data, width, height: line.height };
};
