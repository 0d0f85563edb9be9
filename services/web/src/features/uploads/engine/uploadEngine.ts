import type { FoundFiles } from '../files/collectFiles.ts';
import type { Reason } from '../plan/uploadFile.ts';
import type { Progress, UploadPlan } from '../plan/uploadPlan.ts';

export interface UploadEngine {
  /** Uploads files, and resumes those of earlier visits. Resolves with the number of files when the scan is complete. */
  readonly add: (found: FoundFiles) => Promise<number>;
  /** Uploads shared files, except those that another tab has claimed. Resolves with the number of files to upload. */
  readonly addShared: (keys: readonly number[]) => Promise<number>;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Resumes the uploads, and retries one file, or all failed and delayed ones. */
  readonly retry: (id?: number) => void;
  readonly cancel: (id: number) => void;
  /** Cancels unfinished uploads and clears the list. */
  readonly clear: () => void;
  /** Requests access to the files of an earlier visit. Call it in a click handler. */
  readonly requestMissingFiles: () => Promise<void>;
  /** Stops all uploads. The saved state stays on the device. */
  readonly stop: () => void;
}

/** State of the uploads for the page, updated a few times per second. */
export interface UploadSnapshot {
  readonly plan: UploadPlan;
  readonly progress: Progress;
  /** True while folders are scanned. */
  readonly isCollecting: boolean;
  readonly isPaused: boolean;
  /** Reason why uploads stopped until the user resumes them or signs in again. */
  readonly haltedBy: Reason | undefined;
  /** Reason for a temporary stop. Uploads resume automatically. */
  readonly heldBy: Reason | undefined;
  readonly secondsLeft: number | undefined;
  /** Number of missing files that one click can restore, if the browser permits it. */
  readonly restorableFiles: number;
}

export interface UploadSummary {
  readonly added: number;
  readonly existing: number;
  /** Number of refused and failed files. */
  readonly refused: number;
}
