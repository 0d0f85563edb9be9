import { pixelsAtMost } from '../pixels/resizePixels.ts';
import { largestOf, type PictureSizes } from '../pixels/rgbPixels.ts';
import type { Point } from '../pixels/samplePixels.ts';
import type { RunModel } from '../pixels/tensor.ts';
import { cutLine } from './cutLine.ts';
import { detectText, textSide } from './detectText.ts';
import { readingFrames } from './readingFrames.ts';
import { inReadingOrder } from './readingOrder.ts';
import { recogniseLine } from './recogniseLine.ts';
import { downOf, type TurnedRectangle } from './turnedRectangle.ts';

/** A line of text in a picture. */
export interface TextLine {
  readonly text: string;
  /** The mean of how sure the model is of each character, 0.5 to 1. */
  readonly confidence: number;
  /**
   * The corners clockwise from the one at which the text begins at its top, as parts of the width and height of the upright picture; they may lie
   * outside.
   */
  readonly corners: readonly Point[];
}

/** The longer sides of the pixels that the text of a picture is read in: those in which it is found, and all there are. */
export const textSides = [textSide, 1_440] as const;

/** Below this what was read is rather a pattern than text: the bound of PaddleOCR. */
const minConfidence = 0.5;

/**
 * Reads the text of a picture, in the order in which a page is read. The pipeline:
 * 1. detect: where lines are, at 768 pixels;
 * 2. direct: in which direction they are read;
 * 3. cut: each line out of the largest size, levelled;
 * 4. recognise: its characters, one line after the other.
 */
export async function findText(run: RunModel, alphabet: readonly string[], sizes: PictureSizes): Promise<TextLine[]> {
  const seen = pixelsAtMost(sizes, textSide);
  const picture = largestOf(sizes);
  const scale = picture.width / seen.width;
  const found = (await detectText(run, seen)).map((each) => enlarge(each, scale));
  const lines: TextLine[] = [];
  for (const frame of inReadingOrder(await readingFrames(run, picture, found))) {
    const { text, confidence } = await recogniseLine(run, alphabet, cutLine(picture, frame));
    if (confidence >= minConfidence && text.trim() !== '')
      lines.push({
        text,
        confidence,
        corners: cornersOf(frame).map(({ x, y }) => ({ x: x / picture.width, y: y / picture.height })),
      });
  }
  return lines;
}

const enlarge = (rectangle: TurnedRectangle, scale: number): TurnedRectangle => ({
  ...rectangle,
  centre: { x: scale * rectangle.centre.x, y: scale * rectangle.centre.y },
  width: scale * rectangle.width,
  height: scale * rectangle.height,
});

const cornersOf = (rectangle: TurnedRectangle): Point[] => {
  const { centre, across } = rectangle;
  const down = downOf(rectangle);
  return (
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ] as const
  ).map(([u, v]) => ({
    x: centre.x + (u * across.x * rectangle.width + v * down.x * rectangle.height) / 2,
    y: centre.y + (u * across.y * rectangle.width + v * down.y * rectangle.height) / 2,
  }));
};
