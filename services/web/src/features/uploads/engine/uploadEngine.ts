import type { FoundFiles } from '../files/collectFiles.ts';

/** What can be done with the uploads of this tab. */
export interface UploadEngine {
  /** Uploads these files; those that an earlier visit had begun with are gone on with. Answers how many they are, once all were found. */
  readonly add: (found: FoundFiles) => Promise<number>;
  /** Uploads files that other apps have handed over, and answers how many of them nobody had taken before. */
  readonly addShared: (keys: readonly number[]) => Promise<number>;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Tries again: one file, or all that have failed. */
  readonly retry: (id?: number) => void;
  readonly cancel: (id: number) => void;
  /** Gives up everything that is not done, and forgets the list. */
  readonly clear: () => void;
  /** Asks the browser for the files of an earlier visit; to be called by a click. */
  readonly askForMissing: () => Promise<void>;
  /** Ends everything and forgets it, here but not on the disk. */
  readonly stop: () => void;
}
