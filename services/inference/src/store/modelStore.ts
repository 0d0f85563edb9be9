import type { ModelName } from '../models/models.ts';

/** Where the files of models are, and where they may be fetched from. */
export interface ModelStore {
  readonly directory: string;
  /** A folder or URL, in which files lie as in `directory`; it is asked before the internet. */
  readonly mirror: string | undefined;
  /** Whether nothing is fetched from the internet. A mirror is asked nevertheless. */
  readonly isOffline: boolean;
}

/** A model whose files are all there, each being the pinned one. */
export interface ModelFiles {
  readonly name: ModelName;
  /** The path of a file by its name in the manifest; the weights are the first. */
  readonly paths: readonly string[];
}
