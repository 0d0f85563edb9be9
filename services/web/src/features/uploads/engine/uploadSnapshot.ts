import type { Reason } from '../plan/uploadFile.ts';
import type { Progress, UploadPlan } from '../plan/uploadPlan.ts';

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
