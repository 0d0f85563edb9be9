import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { fromMinusOne, outputOf, toTensor, type RunModel, type Tensor } from '../pixels/tensor.ts';
import { lineHeight } from './cutLine.ts';

/** The width of what the model is given of a line, in pixels. */
const seenWidth = 192;

/** How sure the model has to be: PaddleOCR turns a line from here on. */
const minProbability = 0.9;

/** Whether a line of `lineHeight` pixels stands on its head, by the classifier of PP-OCR. */
export async function isUpsideDown(run: RunModel, line: RgbPixels): Promise<boolean> {
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
