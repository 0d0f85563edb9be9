import type { MeaningVector, SearchModelName } from '@hearth/core/config/searchModels.ts';
import { modelOf, type ModelName } from '../models/models.ts';
import { minLikeness } from '../models/searchModels.ts';
import { cutMiddle } from '../pixels/cutMiddle.ts';
import { pixelsAtMost } from '../pixels/resizePixels.ts';
import type { PictureSizes } from '../pixels/rgbPixels.ts';
import {
  clipRgb,
  outputOf,
  toTensor,
  type Inputs,
  type IntegerTensor,
  type RunModel,
  type Tensor,
} from '../pixels/tensor.ts';
import { beginToken, endToken, maxTokens, type Tokenize } from './clipTokens.ts';
import { normalise } from './normalise.ts';

/** The longer side of the picture that is looked at, in pixels: its shorter side becomes 224 of them. */
export const embeddingSides = [640] as const;

/** The side of the square that the models take, in pixels. */
const side = 224;

/** What a picture means to a model: [512], of length 1 together. Its cosine with that of a text is how well they fit, −1 to 1. */
export async function embedPicture(run: RunModel, model: SearchModelName, sizes: PictureSizes): Promise<Float32Array> {
  const seen = cutMiddle(pixelsAtMost(sizes, embeddingSides[0]), side, side);
  return embed(run, `${model}-image`, 'image_embeds', { pixel_values: toTensor(seen, clipRgb) });
}

/** What a text means to a model: [512], of length 1 together. Words behind the 75th token are not seen. */
export async function embedText(
  run: RunModel,
  tokenize: Tokenize,
  model: SearchModelName,
  text: string,
): Promise<MeaningVector> {
  const vector = await embed(run, `${model}-text`, 'text_embeds', tokenInputs(tokenize(text)));
  return { model, vector, minLikeness: minLikeness[model] };
}

const embed = async (run: RunModel, name: ModelName, output: string, inputs: Inputs): Promise<Float32Array> => {
  const all: Inputs = { ...fillers, ...inputs };
  const taken = Object.fromEntries(modelOf(name).inputs.map(({ name: input }) => [input, all[input]!]));
  return normalise(outputOf(await run(name, taken, [output]), output).data);
};

/** Zeros behind the last token, and a mask that says so. Models look at the token of the end, and nothing before it sees what is behind. */
const tokenInputs = (tokens: readonly number[]): Readonly<Record<'input_ids' | 'attention_mask', IntegerTensor>> => {
  const [ids, mask] = [new BigInt64Array(maxTokens), new BigInt64Array(maxTokens)];
  for (const [i, token] of tokens.entries()) {
    ids[i] = BigInt(token);
    mask[i] = 1n;
  }
  return { input_ids: { data: ids, dims: [1, maxTokens] }, attention_mask: { data: mask, dims: [1, maxTokens] } };
};

/** What the half gets that is not asked, of a model whose halves are in one file: a black picture, and a text without words. */
const fillers = {
  pixel_values: { data: new Float32Array(3 * side * side), dims: [1, 3, side, side] } satisfies Tensor,
  ...tokenInputs([beginToken, endToken]),
};
