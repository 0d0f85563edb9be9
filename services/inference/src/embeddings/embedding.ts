import type { QueryEmbedding, SearchModelName } from '@hearth/core/config/searchModels.ts';
import { getModel, type ModelName } from '../models/models.ts';
import { minQuerySimilarity } from '../models/searchModels.ts';
import { cutMiddle } from '../pixels/cutMiddle.ts';
import { pixelsAtMost } from '../pixels/resizePixels.ts';
import type { PictureSizes } from '../pixels/rgbPixels.ts';
import {
  clipRgb,
  getOutput,
  toTensor,
  type Inputs,
  type IntegerTensor,
  type RunModel,
  type Tensor,
} from '../pixels/tensor.ts';
import { beginToken, endToken, maxTokens, type Tokenize } from './clipTokens.ts';
import { normalise } from './normalise.ts';

/** Longer side of the input picture, in pixels. Its shorter side is then scaled to 224. */
export const embeddingSides = [640] as const;

/** Side of the models' square input, in pixels. */
const side = 224;

/**
 * Returns the embedding of a picture: [512], normalized to length 1. Its cosine with a text's embedding is their
 * similarity, −1 to 1.
 */
export async function embedPicture(run: RunModel, model: SearchModelName, sizes: PictureSizes): Promise<Float32Array> {
  const seen = cutMiddle(pixelsAtMost(sizes, embeddingSides[0]), side, side);
  return embed(run, `${model}-image`, 'image_embeds', { pixel_values: toTensor(seen, clipRgb) });
}

/** Returns the embedding of a text: [512], normalized to length 1. Tokens after the 75th are ignored. */
export async function embedText(
  run: RunModel,
  tokenize: Tokenize,
  model: SearchModelName,
  text: string,
): Promise<QueryEmbedding> {
  const vector = await embed(run, `${model}-text`, 'text_embeds', tokenInputs(tokenize(text)));
  return { model, vector, minSimilarity: minQuerySimilarity[model] };
}

const embed = async (run: RunModel, name: ModelName, output: string, inputs: Inputs): Promise<Float32Array> => {
  const all: Inputs = { ...fillers, ...inputs };
  const usedInputs = Object.fromEntries(getModel(name).inputs.map(({ name: input }) => [input, all[input]!]));
  return normalise(getOutput(await run(name, usedInputs, [output]), output).data);
};

/**
 * Pads the tokens with zeros, which the mask marks. The result does not depend on the padding: models read the end
 * token, and attention is causal.
 */
const tokenInputs = (tokens: readonly number[]): Readonly<Record<'input_ids' | 'attention_mask', IntegerTensor>> => {
  const [ids, mask] = [new BigInt64Array(maxTokens), new BigInt64Array(maxTokens)];
  for (const [i, token] of tokens.entries()) {
    ids[i] = BigInt(token);
    mask[i] = 1n;
  }
  return { input_ids: { data: ids, dims: [1, maxTokens] }, attention_mask: { data: mask, dims: [1, maxTokens] } };
};

/** Inputs for the unused half of a model with both halves in one file: a black picture, and an empty text. */
const fillers = {
  pixel_values: { data: new Float32Array(3 * side * side), dims: [1, 3, side, side] } satisfies Tensor,
  ...tokenInputs([beginToken, endToken]),
};
