import type { FileSource } from '../files/fileSource.ts';
import type { FileEvent, Reason, UploadFile } from '../plan/uploadFile.ts';
import type { UploadPlan } from '../plan/uploadPlan.ts';

/** What the steps of uploading share: the plan, and what may stop them all. */
export interface Work {
  readonly plan: () => UploadPlan;
  readonly file: (id: number) => UploadFile;
  readonly source: (id: number) => FileSource | undefined;
  /** Changes the plan, and lets each step look for what it can do now. */
  readonly tell: (...events: readonly (readonly [id: number, event: FileEvent])[]) => void;
  /** Whether requests may be made now: neither paused, halted nor held. */
  readonly mayAsk: () => boolean;
  /** Nothing is asked of the server for a while, longer each time; `succeeded` ends that. */
  readonly hold: (reason: Reason, retryAfterSeconds: number | undefined) => void;
  readonly succeeded: () => void;
  /** Nothing is asked until somebody goes on. */
  readonly halt: (reason: Reason) => void;
}

/** One step of uploading: begins what can be begun, as often as it is asked. */
export interface Step {
  readonly pump: () => void;
  readonly stop: () => void;
}
