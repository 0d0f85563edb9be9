import { normalise } from '../embeddings/normalise.ts';
import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { imageNetRgb, outputOf, toTensor, type RunModel } from '../pixels/tensor.ts';

/** The embedding of an aligned face: 128 numbers, of length 1 together. The cosine of two is how alike the faces are, −1 to 1. */
export async function embedFace(run: RunModel, aligned: RgbPixels): Promise<Float32Array> {
  const outputs = await run('mobilefacenet', { input0: toTensor(aligned, imageNetRgb) });
  return normalise(outputOf(outputs, 'output0').data);
}
