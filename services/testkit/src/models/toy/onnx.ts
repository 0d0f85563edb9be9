import type { TensorDescription } from '@hearth/inference/models/model.ts';

/** A node of a graph: reads tensors by name and writes one. */
export interface OnnxNode {
  /** Operator of opset 13 (https://onnx.ai/onnx/operators/). */
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

/** A tensor whose values are part of the model. */
export interface OnnxConstant {
  readonly dims: readonly number[];
  readonly data: Float32Array | BigInt64Array;
}

/** A graph of ONNX. Names of nodes, constants, inputs and outputs share one namespace. */
export interface OnnxGraph {
  readonly inputs: readonly TensorDescription[];
  readonly outputs: readonly TensorDescription[];
  readonly constants: Readonly<Record<string, OnnxConstant>>;
  readonly nodes: readonly OnnxNode[];
}

/** Encodes a graph as a model file (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto). */
export const encodeModel = (graph: OnnxGraph): Buffer =>
  encode([
    [1, 8],
    [7, graphFields(graph)],
    [
      8,
      [
        [1, ''],
        [2, 13],
      ],
    ],
  ]);

/** Fields of a protobuf message by number: numbers are varints, everything else is length-delimited. */
type Fields = readonly (readonly [field: number, value: number | string | Uint8Array | Fields])[];

const graphFields = ({ nodes, constants, inputs, outputs }: OnnxGraph): Fields => [
  ...nodes.map((node) => [1, nodeFields(node)] as const),
  [2, 'toy'],
  ...Object.entries(constants).map(([name, constant]) => [5, constantFields(name, constant)] as const),
  ...inputs.map((input) => [11, valueFields(input)] as const),
  ...outputs.map((output) => [12, valueFields(output)] as const),
];

const nodeFields = ({ operator, inputs, output, attributes = {} }: OnnxNode): Fields => [
  ...inputs.map((input) => [1, input] as const),
  [2, output],
  [4, operator],
  ...Object.entries(attributes).map(([name, value]) => [5, attributeFields(name, value)] as const),
];

const attributeFields = (name: string, value: number | readonly number[]): Fields => {
  const values = typeof value === 'number' ? ([[3, value]] as const) : value.map((each) => [8, each] as const);
  return [[1, name], ...values, [20, typeof value === 'number' ? attributeTypes.int : attributeTypes.ints]];
};

const constantFields = (name: string, { dims, data }: OnnxConstant): Fields => [
  ...dims.map((size) => [1, size] as const),
  [2, elementTypes[data instanceof Float32Array ? 'float32' : 'int64']],
  [8, name],
  [9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)],
];

const valueFields = ({ name, type, shape }: TensorDescription): Fields => {
  const dimensions = shape.map((size) => [1, [[typeof size === 'number' ? 1 : 2, size]]] as const);
  const tensor: Fields = [
    [1, elementTypes[type]],
    [2, dimensions],
  ];
  return [
    [1, name],
    [2, [[1, tensor]]],
  ];
};

const attributeTypes = { int: 2, ints: 7 } as const;

const elementTypes = { float32: 1, int64: 7 } as const;

const encode = (fields: Fields): Buffer =>
  Buffer.concat(
    fields.flatMap(([field, value]) => {
      if (typeof value === 'number') return [varint(field * 8), varint(value)];
      const bytes =
        typeof value === 'string' ? Buffer.from(value) : value instanceof Uint8Array ? value : encode(value);
      return [varint(field * 8 + 2), varint(bytes.length), bytes];
    }),
  );

const varint = (value: number): Buffer => {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) return Buffer.from(bytes);
  }
};
