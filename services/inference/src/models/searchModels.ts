import type { SearchModelName } from '@hearth/core/config/searchModels.ts';
import type { Model, ModelFile } from './model.ts';

const hub = 'https://huggingface.co';
const vocabularyRepository =
  'https://raw.githubusercontent.com/sowa705/AIGallery/16c9c9bf1db0ac0ec8c7d904f9b338e1543176ca/app/src/main/res/raw';

/** CLIP's vocabulary and merges (OpenAI, MIT), the same for all models here. */
const vocabulary: readonly ModelFile[] = [
  {
    name: 'vocab.json',
    bytes: 1_059_962,
    sha256: 'e089ad92ba36837a0d31433e555c8f45fe601ab5c221d4f607ded32d9f7a4349',
    origin: { url: `${vocabularyRepository}/vocab.json` },
  },
  {
    name: 'merges.txt',
    bytes: 524_619,
    sha256: '9fd691f7c8039210e0fced15865466c65820d09b63988b0174bfe25de299051a',
    origin: { url: `${vocabularyRepository}/merges.txt` },
  },
];

const pixels = {
  name: 'pixel_values',
  type: 'float32',
  meaning: 'red, green, blue, normalized with the mean and standard deviation of the training data of CLIP',
} as const;
const tokens = {
  name: 'input_ids',
  type: 'int64',
  meaning: 'tokens of a text between 49406 and 49407, padded with 0 to 77 tokens',
} as const;
const imageEmbedding = { name: 'image_embeds', type: 'float32', meaning: 'embedding of the picture' } as const;
const textEmbedding = { name: 'text_embeds', type: 'float32', meaning: 'embedding of the text' } as const;

const pictureRules = 'scaled to a shorter side of 224 pixels, center crop of 224×224';
const textRules = 'CLIP tokenizer, at most 77 tokens';

/** Contains both halves of TinyCLIP and runs both. */
const tinyClip: ModelFile = {
  name: 'model_quantized.onnx',
  bytes: 24_281_512,
  sha256: '10921310ddef06557ec1598d1260470a0a4db53f70ffe0deb60b946dcad6d27a',
  origin: {
    url: `${hub}/onnx-community/TinyCLIP-ViT-8M-16-Text-3M-YFCC15M-ONNX/resolve/9463a9c508a344c837ffefe9d724f3827bf2dc79/onnx/model_quantized.onnx`,
  },
};
const tinyClipParts = {
  version: '9463a9c',
  licence: { code: 'MIT (Microsoft, TinyCLIP)', weights: 'MIT (Microsoft; ONNX conversion MIT)' },
  trainingData: 'YFCC15M, photos from Flickr with captions; distilled from a CLIP of OpenAI',
  folder: 'tinyclip-vit-8m-16',
  inputs: [
    { ...tokens, shape: ['texts', 'tokens'] },
    { ...pixels, shape: ['pictures', 3, 224, 224] },
    {
      name: 'attention_mask',
      type: 'int64',
      shape: ['texts', 'tokens'],
      meaning: 'attention mask: 1 for a token, 0 for padding',
    },
  ],
  outputs: [
    { ...textEmbedding, shape: ['texts', 512] },
    { ...imageEmbedding, shape: ['pictures', 512] },
  ],
  quality: 'published: 41.1 % zero-shot on ImageNet. Not measured by Hearth: the weights could not be downloaded',
} as const;

const clipRepository = `${hub}/Xenova/clip-vit-base-patch32/resolve/d15189d7028b43f1d3e65039190477f6af591c2a/onnx`;
const clipParts = {
  version: 'd15189d',
  licence: {
    code: 'MIT (OpenAI, CLIP)',
    weights: 'MIT (OpenAI; the model card advises against deployment without testing)',
  },
  trainingData: '400 million pictures with texts from the web, collected by OpenAI and not published',
  folder: 'clip-vit-b-32',
  quality:
    'published: 63 % zero-shot on ImageNet, before quantization to 8 bits. Not measured by Hearth: the weights could not be downloaded',
} as const;

const conceptParts = {
  version: '1',
  licence: { code: 'Apache-2.0', weights: 'Apache-2.0 (ShuffleNet of the ONNX model zoo); vocabulary MIT (OpenAI)' },
  folder: 'concept-lite',
  quality:
    'for 40 queries on 1,000 sample pictures (some probably in the training data), 91.8 % of the first ten results are right. Unknown words find nothing: the largest cosine is 0.14',
} as const;
const onlyTests = 'a stand-in for a real model in tests';

/**
 * Models with a common embedding space for pictures and texts, each in two halves: workers need the one for pictures,
 * and processes that embed queries the other.
 */
export const searchModels = {
  'tinyclip-vit-8m-16-image': {
    ...tinyClipParts,
    purpose: 'image embedding',
    files: [tinyClip],
    preprocessing: pictureRules,
  },
  'tinyclip-vit-8m-16-text': {
    ...tinyClipParts,
    purpose: 'text embedding',
    files: [tinyClip, ...vocabulary],
    preprocessing: textRules,
  },
  'clip-vit-b-32-image': {
    ...clipParts,
    purpose: 'image embedding',
    files: [
      {
        name: 'vision_model_quantized.onnx',
        bytes: 89_117_001,
        sha256: '583fd1110a514667812fee7d684952aaf82a99b959760c8d7dca7e0ab9839299',
        origin: { url: `${clipRepository}/vision_model_quantized.onnx` },
      },
    ],
    inputs: [{ ...pixels, shape: ['pictures', 3, 224, 224] }],
    outputs: [{ ...imageEmbedding, shape: ['pictures', 512] }],
    preprocessing: pictureRules,
  },
  'clip-vit-b-32-text': {
    ...clipParts,
    purpose: 'text embedding',
    files: [
      {
        name: 'text_model_quantized.onnx',
        bytes: 64_504_507,
        sha256: '73baab855d406190da9faa498cfedf65f15cf309f4cc7385b7b032e6d08e5c3a',
        origin: { url: `${clipRepository}/text_model_quantized.onnx` },
      },
      ...vocabulary,
    ],
    inputs: [{ ...tokens, shape: ['texts', 'tokens'] }],
    outputs: [{ ...textEmbedding, shape: ['texts', 512] }],
    preprocessing: textRules,
  },
  'concept-lite-image': {
    ...conceptParts,
    purpose: 'image embedding from class probabilities',
    trainingData: 'ImageNet-1k, like ShuffleNet, from which it is derived',
    files: [
      {
        name: 'image.onnx',
        bytes: 3_413_301,
        sha256: '99012e874c8a7bb790358f604372c0664f0a725d1934d43ad122a2832f6e84ca',
        origin: { onlyMirror: onlyTests },
      },
    ],
    inputs: [{ ...pixels, shape: [1, 3, 224, 224] }],
    outputs: [
      { ...imageEmbedding, shape: [1, 512] },
      { name: 'label_probs', type: 'float32', shape: [1, 1000], meaning: 'probability of each ImageNet class' },
    ],
    preprocessing: pictureRules,
  },
  'concept-lite-text': {
    ...conceptParts,
    purpose: 'random text embedding for each word',
    trainingData: 'nothing',
    files: [
      {
        name: 'text.onnx',
        bytes: 599_846,
        sha256: '3f0ce9dee313fa6def6a4316bcd72d2161eb1c2290377e14aee88cc39db8a576',
        origin: { onlyMirror: onlyTests },
      },
      ...vocabulary,
    ],
    inputs: [{ ...tokens, shape: ['texts', 'tokens'] }],
    outputs: [{ ...textEmbedding, shape: ['texts', 512] }],
    preprocessing: textRules,
  },
} as const satisfies Record<`${SearchModelName}-${'image' | 'text'}`, Model>;

/**
 * Minimum cosine similarity of a query and a matching picture, by model. For the stand-in it lies above unknown
 * words (at most 0.14) and below matches. In CLIP, matching pictures have 0.25 to 0.35, others 0.15 to 0.22 (Radford et
 * al. 2021, https://arxiv.org/abs/2103.00020, and reports of users). Not measured until `npm run bench:quality` has the
 * weights.
 */
export const minQuerySimilarity: Readonly<Record<SearchModelName, number>> = {
  'tinyclip-vit-8m-16': 0.24,
  'clip-vit-b-32': 0.24,
  'concept-lite': 0.2,
};
