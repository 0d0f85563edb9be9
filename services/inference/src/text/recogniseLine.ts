import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { fromMinusOne, getOutput, toTensor, type RunModel, type Tensor } from '../pixels/tensor.ts';

export interface RecognisedLine {
  readonly text: string;
  /** The mean confidence of the characters, 0 to 1; 0 without characters. */
  readonly confidence: number;
}

/**
 * Minimum width of the model's input, in pixels; narrower lines are padded with grey. The model was trained with 320.
 * That takes three times as long and reads the same of 300 words and signs in the test media (2026-11).
 */
const minWidth = 96;

/** Reads a line of `lineHeight` pixels with PP-OCRv4. `alphabet` has the lines of ppocr_keys_v1.txt. */
export async function recogniseLine(
  run: RunModel,
  alphabet: readonly string[],
  line: RgbPixels,
): Promise<RecognisedLine> {
  const outputs = await run('ppocr-v4-recognition', { x: prepareLine(line) });
  return readCharacters(getOutput(outputs, 'softmax_11.tmp_0'), alphabet);
}

/**
 * Pads the line with grey on the right, to a multiple of 32 pixels, so that lines of similar length need the same
 * memory.
 */
export const prepareLine = (line: RgbPixels): Tensor =>
  toTensor(line, fromMinusOne, {
    width: Math.max(minWidth, 32 * Math.ceil(line.width / 32)),
    height: line.height,
    fill: 0,
  });

/**
 * Decodes the model's steps (connectionist temporal classification): takes the most likely character of each step,
 * merges repeated ones, and drops blanks (0). The space follows the alphabet.
 */
export function readCharacters({ data, dims }: Tensor, alphabet: readonly string[]): RecognisedLine {
  const [steps, kinds] = [dims[1]!, dims[2]!];
  let text = '';
  let [sum, count, last] = [0, 0, 0];
  for (let step = 0; step < steps; step += 1) {
    const begin = step * kinds;
    let best = 0;
    for (let kind = 1; kind < kinds; kind += 1) if (data[begin + kind]! > data[begin + best]!) best = kind;
    if (best !== 0 && best !== last) {
      text += alphabet[best - 1] ?? ' ';
      sum += data[begin + best]!;
      count += 1;
    }
    last = best;
  }
  return { text, confidence: count === 0 ? 0 : sum / count };
}
