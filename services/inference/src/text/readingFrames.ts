import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { type RunModel, fromMinusOne, outputOf, toTensor, type Tensor } from '../pixels/tensor.ts';
import { cutLine, lineHeight } from './cutLine.ts';
import { downOf, type TurnedRectangle } from './turnedRectangle.ts';

/** From how many times as high as wide on a line is read from top to bottom or from bottom to top. */
const uprightRatio = 1.5;

/** Lines that are asked whether they stand on their head: those with the most letters, by which the others go. More cost time and say the same. */
const mostAsked = 3;

/** From how many times as wide as high on a line is asked: of a letter or two the model cannot tell. */
const minAskedRatio = 2;

/**
 * The rectangles of lines in pixels of the picture, in their order, each with `across` in the direction in which it is read. A page that lies on its side
 * or on its head is one: lines of one kind, level or upright, are read in one direction.
 */
export async function readingFrames(
  run: RunModel,
  pixels: RgbPixels,
  rectangles: readonly TurnedRectangle[],
): Promise<TurnedRectangle[]> {
  const isUpright = rectangles.map(({ width, height }) => height >= uprightRatio * width);
  const frames = rectangles.map((each, i) => (isUpright[i] ? onItsSide(each) : each));
  for (const kind of [false, true]) {
    const ofKind = frames.filter((_, i) => isUpright[i] === kind);
    if (await areUpsideDown(run, pixels, ofKind))
      for (const [i, frame] of frames.entries()) if (isUpright[i] === kind) frames[i] = onItsHead(frame);
  }
  return frames;
}

/** Whether most of the lines that tell stand on their head. */
const areUpsideDown = async (
  run: RunModel,
  pixels: RgbPixels,
  frames: readonly TurnedRectangle[],
): Promise<boolean> => {
  const asked = frames
    .filter(({ width, height }) => width >= minAskedRatio * height)
    .toSorted((a, b) => b.width / b.height - a.width / a.height)
    .slice(0, mostAsked);
  let count = 0;
  for (const frame of asked) if (await isUpsideDown(run, cutLine(pixels, frame))) count += 1;
  return count > asked.length / 2;
};

const onItsSide = (rectangle: TurnedRectangle): TurnedRectangle => ({
  ...rectangle,
  across: downOf(rectangle),
  width: rectangle.height,
  height: rectangle.width,
});

const onItsHead = (rectangle: TurnedRectangle): TurnedRectangle => ({
  ...rectangle,
  across: { x: -rectangle.across.x, y: -rectangle.across.y },
});

/** The width of what the model is given of a line, in pixels. */
const seenWidth = 192;

/** How sure the model has to be: PaddleOCR turns a line from here on. */
const minProbability = 0.9;

/** Whether a line of `lineHeight` pixels stands on its head, by the classifier of PP-OCR. */
async function isUpsideDown(run: RunModel, line: RgbPixels): Promise<boolean> {
  const { data } = outputOf(await run('ppocr-v2-direction', { x: prepareDirection(line) }), 'softmax_0.tmp_0');
  return data[1]! > minProbability;
}

/** The beginning of the line, or the line with grey at its right. */
const prepareDirection = (line: RgbPixels): Tensor => {
  const width = Math.min(line.width, seenWidth);
  return toTensor(beginningOf(line, width), fromMinusOne, { width: seenWidth, height: lineHeight, fill: 0 });
};

const beginningOf = (line: RgbPixels, width: number): RgbPixels => {
  if (width === line.width) return line;
  const data = new Uint8Array(3 * width * line.height);
  for (let y = 0; y < line.height; y += 1)
    data.set(line.data.subarray(3 * y * line.width, 3 * (y * line.width + width)), 3 * y * width);
  return { data, width, height: line.height };
};
