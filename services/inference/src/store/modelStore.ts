import type { ModelFile } from '../models/model.ts';
import { modelOf, type ModelName } from '../models/models.ts';

/** Where the files of models are, and where they may be fetched from. */
export interface ModelStore {
  readonly directory: string;
  /** A folder or URL, in which files lie as in `directory`; it is asked before the internet. */
  readonly mirror: string | undefined;
  /** Whether nothing is fetched from the internet. A mirror is asked nevertheless. */
  readonly isOffline: boolean;
  /** Files that replace those of the registry. No configuration sets it: the test kit has small models of its own. */
  readonly files?: Readonly<Partial<Record<ModelName, readonly ModelFile[]>>>;
}

/** Returns the files of a model with their checksums, the weights first. */
export const filesOf = (store: ModelStore, name: ModelName): readonly ModelFile[] =>
  store.files?.[name] ?? modelOf(name).files;

/** A model whose files are all there, each being the pinned one. */
export interface ModelFiles {
  readonly name: ModelName;
  /** The path of a file by its name in the manifest; the weights are the first. */
  readonly paths: readonly string[];
}
