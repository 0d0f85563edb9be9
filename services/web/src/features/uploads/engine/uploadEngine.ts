import type { FoundFiles } from '../files/collectFiles.ts';
import type { Reason } from '../plan/uploadFile.ts';
import type { Progress, UploadPlan } from '../plan/uploadPlan.ts';

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

/** What the page shows of the uploads, some times a second. */
export interface UploadSnapshot {
  readonly plan: UploadPlan;
  readonly progress: Progress;
  /** Whether folders are still being looked through. */
  readonly isCollecting: boolean;
  readonly isPaused: boolean;
  /** Why nothing is sent until somebody goes on. */
  readonly haltedBy: Reason | undefined;
  /** Why nothing is sent for the moment; it goes on by itself. */
  readonly heldBy: Reason | undefined;
  readonly secondsLeft: number | undefined;
  /** How many of the missing files one click can find again, if the browser is allowed to. */
  readonly restorableFiles: number;
}

/** What has come of everything since the uploads began. */
export interface UploadSummary {
  readonly added: number;
  readonly existing: number;
  readonly refused: number;
}
