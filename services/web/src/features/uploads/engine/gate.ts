import { retryDelayMs } from '../plan/pace.ts';
import type { Reason } from '../plan/uploadFile.ts';

/**
 * Global stop of all uploads: paused by the user, held while the server is unreachable or busy, or halted, for example
 * by full storage.
 */
export interface Gate {
  readonly isOpen: () => boolean;
  readonly isPaused: () => boolean;
  readonly haltedBy: () => Reason | undefined;
  readonly heldBy: () => Reason | undefined;
  readonly pause: () => void;
  readonly halt: (reason: Reason) => void;
  readonly hold: (reason: Reason, retryAfterSeconds: number | undefined) => void;
  /** Called after a successful response. Resets the backoff. */
  readonly succeeded: () => void;
  /** Resumes after any stop. */
  readonly open: () => void;
  /** Ends a hold early because the browser is online again. A pause continues. */
  readonly releaseHold: () => void;
}

export const makeGate = (onChange: () => void): Gate => {
  let isPaused = false;
  let haltedBy: Reason | undefined;
  let heldBy: Reason | undefined;
  let holds = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const releaseHold = (): void => {
    clearTimeout(timer);
    timer = undefined;
    onChange();
  };
  return {
    isOpen: () => !isPaused && haltedBy === undefined && timer === undefined,
    isPaused: () => isPaused,
    haltedBy: () => haltedBy,
    heldBy: () => heldBy,
    pause: () => {
      isPaused = true;
      onChange();
    },
    halt: (reason) => {
      haltedBy = reason;
      onChange();
    },
    hold: (reason, retryAfterSeconds) => {
      // Uploads that fail for the same cause extend the backoff only once.
      if (timer !== undefined) return;
      heldBy = reason;
      timer = setTimeout(releaseHold, retryDelayMs(holds, retryAfterSeconds, Math.random()));
      holds += 1;
      onChange();
    },
    succeeded: () => {
      holds = 0;
      if (timer === undefined) heldBy = undefined;
    },
    open: () => {
      isPaused = false;
      haltedBy = undefined;
      holds = 0;
      releaseHold();
    },
    releaseHold,
  };
};
