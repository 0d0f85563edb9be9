import { pixelsAtMost } from '../pixels/resizePixels.ts';
import { findLargest, type PictureSizes } from '../pixels/rgbPixels.ts';
import type { Point } from '../pixels/samplePixels.ts';
import type { RunModel } from '../pixels/tensor.ts';
import { cutLine } from './cutLine.ts';
import { detectText, textSide } from './detectText.ts';
import { readingFrames } from './readingFrames.ts';
import { sortByReadingOrder } from './readingOrder.ts';
import { recogniseLine } from './recogniseLine.ts';
import { getDownVector, type RotatedRectangle } from './rotatedRectangle.ts';

/** A line of text in a picture. */
export interface TextLine {
  readonly text: string;
  /** The mean confidence of the characters, 0.5 to 1. */
  readonly confidence: number;
  /**
   * The corners clockwise from the upper left corner in reading direction, in fractions of the upright picture. They
   * may lie outside.
   */
  readonly corners: readonly Point[];
}

/** Longer sides of the pictures for text, in pixels: for detection, and for reading. */
export const textSides = [textSide, 1_440] as const;

/** Minimum confidence of a line, as in PaddleOCR. Lines below are mostly patterns, not text. */
const minConfidence = 0.5;

/**
 * Reads the text of a picture, in reading order.
 * 1. Detect: finds lines, at 768 pixels.
 * 2. Direct: determines the reading direction.
 * 3. Cut: cuts and levels each line of the largest size.
 * 4. Recognise: reads the characters, one line at a time.
 */
export async function findText(run: RunModel, alphabet: readonly string[], sizes: PictureSizes): Promise<TextLine[]> {
  const seen = pixelsAtMost(sizes, textSide);
  const picture = findLargest(sizes);
  const scale = picture.width / seen.width;
  const found = (await detectText(run, seen)).map((each) => enlarge(each, scale));
  const lines: TextLine[] = [];
  for (const frame of sortByReadingOrder(await readingFrames(run, picture, found))) {
    const { text, confidence } = await recogniseLine(run, alphabet, cutLine(picture, frame));
    if (confidence >= minConfidence && text.trim() !== '')
      lines.push({
        text,
        confidence,
        corners: getCorners(frame).map(({ x, y }) => ({ x: x / picture.width, y: y / picture.height })),
      });
  }
  return lines;
}

const enlarge = (rectangle: RotatedRectangle, scale: number): RotatedRectangle => ({
  ...rectangle,
  centre: { x: scale * rectangle.centre.x, y: scale * rectangle.centre.y },
  width: scale * rectangle.width,
  height: scale * rectangle.height,
});

const getCorners = (rectangle: RotatedRectangle): Point[] => {
  const { centre, across } = rectangle;
  const down = getDownVector(rectangle);
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
