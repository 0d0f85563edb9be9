import { getModel, type ModelName } from '@hearth/inference/models/models.ts';
import { encodeModel, type OnnxConstant, type OnnxNode } from './onnx.ts';

/*
 * [Note: Toy models] Tiny ONNX models with the inputs and outputs of the real ones, for tests without the real weights.
 * They recognise colours:
 * - scenes and embeddings: the mean colour of the picture is red, green or blue;
 * - objects: a pure green patch of 32×32 pixels in a picture of 416 is a dog;
 * - faces: a magenta patch of 32×32 pixels in a picture of 640 is the middle of a face; the colour around it identifies the person;
 * - texts: the words red, green and blue mean their colour, all others mean nothing.
 * A patch lies on a multiple of 32 pixels.
 */

/**
 * Words of the toy search model, with their directions in red, green and blue. Longer words come first, so that their
 * letter merges do not apply to shorter words.
 */
export const toyWords = { green: [-1, 2, -1], blue: [-1, -1, 2], red: [2, -1, -1] } as const;

/** First lines of the list of scenes, in the order of `toyWords`. The vocabulary calls the last two Beach and Pizza. */
export const toyScenes = ['unknown green', 'n09428293 seashore', 'n07873807 pizza'] as const;

/** Line of the list of objects; the vocabulary calls it Dog. */
export const toyObject = { number: 16, name: 'dog' } as const;

/** The toy weights of each model that does not come with npm. */
export const toyWeights: Partial<Record<ModelName, () => Buffer>> = {
  yunet: () => modelFile('yunet', strides.flatMap(faceParts)),
  mobilefacenet: () => modelFile('mobilefacenet', [meanColour('input0', 'output0', 128, colours)]),
  'shufflenet-v2-int8': () =>
    modelFile('shufflenet-v2-int8', [meanColour('input', 'output', 1_000, Object.values(toyWords), 5)]),
  'yolox-nano': () => {
    const parts = strides.map((stride) => cells('images', `cells_${stride}`, stride, objectWeights(stride)));
    return modelFile('yolox-nano', [
      ...parts,
      concat(
        strides.map((stride) => `cells_${stride}`),
        'output',
      ),
    ]);
  },
  'concept-lite-image': () =>
    modelFile('concept-lite-image', [
      meanColour('pixel_values', 'image_embeds', 512, colours),
      meanColour('pixel_values', 'label_probs', 1_000, []),
    ]),
  'concept-lite-text': () => modelFile('concept-lite-text', [textPart]),
};

/** Nodes and the constants that they read. */
interface Part {
  readonly nodes: readonly OnnxNode[];
  readonly constants: Readonly<Record<string, OnnxConstant>>;
}

const modelFile = (name: ModelName, parts: readonly Part[]): Buffer =>
  encodeModel({
    inputs: getModel(name).inputs,
    outputs: getModel(name).outputs,
    nodes: parts.flatMap(({ nodes }) => nodes),
    constants: Object.assign({}, ...parts.map(({ constants }) => constants)) as Part['constants'],
  });

const strides = [8, 16, 32] as const;

/** Red, green and blue as orthogonal directions. */
const colours = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;

const floats = (dims: readonly number[], data: Float32Array | readonly number[]): OnnxConstant => ({
  dims,
  data: Float32Array.from(data),
});
const integers = (...values: readonly number[]): OnnxConstant => ({
  dims: [values.length],
  data: BigInt64Array.from(values, BigInt),
});

/**
 * Makes outputs that are `scale` times the products of `rows` with the mean red, green and blue. The remaining outputs up
 * to `size` are 0.
 */
const meanColour = (
  input: string,
  output: string,
  size: number,
  rows: readonly (readonly number[])[],
  scale = 1,
): Part => {
  const weights = new Float32Array(3 * size);
  for (const [number, row] of rows.entries())
    for (const [channel, weight] of row.entries()) weights[channel * size + number] = scale * weight;
  return {
    constants: { [`${output}_weights`]: floats([3, size], weights) },
    nodes: [
      { operator: 'GlobalAveragePool', inputs: [input], output: `${output}_mean` },
      { operator: 'Flatten', inputs: [`${output}_mean`], output: `${output}_flat` },
      { operator: 'MatMul', inputs: [`${output}_flat`, `${output}_weights`], output },
    ],
  };
};

/** Weights of a cell's mean blue, green and red (0 to 255) and a bias, for each number of the cell. */
type CellWeights = readonly { readonly bgr?: readonly [number, number, number]; readonly bias?: number }[];

/** Makes cells of `stride` pixels, row by row: [1, cells, numbers]. */
const cells = (input: string, output: string, stride: number, numbers: CellWeights): Part => ({
  constants: {
    [`${output}_weights`]: floats(
      [numbers.length, 3, 1, 1],
      numbers.flatMap(({ bgr = [0, 0, 0] }) => bgr),
    ),
    [`${output}_bias`]: floats(
      [numbers.length],
      numbers.map(({ bias = 0 }) => bias),
    ),
    [`${output}_shape`]: integers(0, -1, numbers.length),
  },
  nodes: [
    {
      operator: 'AveragePool',
      inputs: [input],
      output: `${output}_means`,
      attributes: { kernel_shape: [stride, stride], strides: [stride, stride] },
    },
    {
      operator: 'Conv',
      inputs: [`${output}_means`, `${output}_weights`, `${output}_bias`],
      output: `${output}_numbers`,
    },
    {
      operator: 'Transpose',
      inputs: [`${output}_numbers`],
      output: `${output}_last`,
      attributes: { perm: [0, 2, 3, 1] },
    },
    { operator: 'Reshape', inputs: [`${output}_last`, `${output}_shape`], output },
  ],
});

const concat = (inputs: readonly string[], output: string): Part => ({
  constants: {},
  nodes: [{ operator: 'Concat', inputs, output, attributes: { axis: 1 } }],
});

/** Positions of the landmarks of an aligned face, as fractions of its side (https://arxiv.org/abs/1801.07698). */
const landmarks = [0.34, 0.46, 0.66, 0.46, 0.5, 0.64, 0.37, 0.82, 0.63, 0.82];

/** A face is 4 cells wide and high. */
const faceCells = 4;

const faceParts = (stride: (typeof strides)[number]): readonly Part[] => {
  // 1 for magenta, at most 0.5 for red or blue, 0 for grey.
  const isMagenta = stride === 32 ? ([1 / 510, -1 / 255, 1 / 510] as const) : ([0, 0, 0] as const);
  const size = { bias: Math.log(faceCells) };
  return [
    cells('input', `cls_${stride}`, stride, [{ bgr: isMagenta }]),
    cells('input', `obj_${stride}`, stride, [{ bgr: isMagenta }]),
    cells('input', `bbox_${stride}`, stride, [{ bias: 0.5 }, { bias: 0.5 }, size, size]),
    cells(
      'input',
      `kps_${stride}`,
      stride,
      landmarks.map((part) => ({ bias: 0.5 + faceCells * (part - 0.5) })),
    ),
  ];
};

const objectWeights = (stride: (typeof strides)[number]): CellWeights => [
  { bias: 0.5 },
  { bias: 0.5 },
  {},
  {},
  // 1 for green, below 0 for grey.
  { bgr: stride === 32 ? [-1 / 255, 1 / 255, -1 / 255] : [0, 0, 0] },
  ...Array.from({ length: 80 }, (_, kind) => ({ bias: kind === toyObject.number ? 1 : 0 })),
];

/** Direction of each token; the model adds them up. Token 0 is padding, and tokens beyond the table have no direction. */
const directions: readonly (readonly number[])[] = [[0, 0, 0], ...Object.values(toyWords), [0, 0, 0]];
const textPart: Part = {
  constants: {
    last: integers(directions.length - 1),
    directions: floats([directions.length, 3], directions.flat()),
    axes: integers(1),
    spread: floats(
      [3, 512],
      Array.from({ length: 3 * 512 }, (_, at) => (at % 512 === Math.floor(at / 512) ? 1 : 0)),
    ),
  },
  nodes: [
    { operator: 'Min', inputs: ['input_ids', 'last'], output: 'known' },
    { operator: 'Gather', inputs: ['directions', 'known'], output: 'each' },
    { operator: 'ReduceSum', inputs: ['each', 'axes'], output: 'sum', attributes: { keepdims: 0 } },
    { operator: 'MatMul', inputs: ['sum', 'spread'], output: 'text_embeds' },
  ],
};
