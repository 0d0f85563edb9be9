import type { ModelFile } from '../models/model.ts';
import { getModel, type ModelName } from '../models/models.ts';

/** The location of models, and the sources for fetching them. */
export interface ModelStore {
  readonly directory: string;
  /** A folder or URL with the same layout as `directory`. It is tried before the internet. */
  readonly mirror: string | undefined;
  /** Fetches nothing from the internet. A mirror is still used. */
  readonly isOffline: boolean;
  /** Files that replace those of the registry, for the small models of the test kit. No configuration sets it. */
  readonly files?: Readonly<Partial<Record<ModelName, readonly ModelFile[]>>>;
}

/** Returns the files of a model with their checksums, the weights first. */
export const getModelFiles = (store: ModelStore, name: ModelName): readonly ModelFile[] =>
  store.files?.[name] ?? getModel(name).files;

/** A model with all files present and verified. */
export interface ModelFiles {
  readonly name: ModelName;
  /** Paths in the order of the manifest, the weights first. */
  readonly paths: readonly string[];
}
