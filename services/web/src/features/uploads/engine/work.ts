import type { FileSource } from '../files/fileSource.ts';
import type { FileEvent, Reason, UploadFile } from '../plan/uploadFile.ts';
import type { UploadPlan } from '../plan/uploadPlan.ts';

/** State shared by the upload steps, and controls that stop them all. */
export interface UploadContext {
  readonly plan: () => UploadPlan;
  readonly file: (id: number) => UploadFile;
  readonly source: (id: number) => FileSource | undefined;
  /** Applies events to the plan and pumps all steps. */
  readonly applyEvents: (...events: readonly (readonly [id: number, event: FileEvent])[]) => void;
  /** Returns whether requests may be sent: not paused, halted or held. */
  readonly canRequest: () => boolean;
  /** Stops requests temporarily, with increasing delays until `succeeded` is called. */
  readonly hold: (reason: Reason, retryAfterSeconds: number | undefined) => void;
  readonly succeeded: () => void;
  /** Stops requests until the user resumes them or signs in again. */
  readonly halt: (reason: Reason) => void;
}

/** Upload step. `pump` starts whatever can start, and may be called at any time. */
export interface Step {
  readonly pump: () => void;
  readonly stop: () => void;
}
