import { retryDelayMs } from '../plan/pace.ts';
import type { Reason } from '../plan/uploadFile.ts';

/** What keeps all files waiting: somebody's wish, a server that is away, or one that has no room. */
export interface Gate {
  readonly isOpen: () => boolean;
  readonly isPaused: () => boolean;
  readonly haltedBy: () => Reason | undefined;
  readonly heldBy: () => Reason | undefined;
  readonly pause: () => void;
  readonly halt: (reason: Reason) => void;
  readonly hold: (reason: Reason, retryAfterSeconds: number | undefined) => void;
  /** The server has answered: the next hold begins with a short time again. */
  readonly succeeded: () => void;
  /** Ends whatever holds. */
  readonly open: () => void;
  /** Ends a wait that may be over early, because the network is back; what somebody wished stays. */
  readonly releaseHold: () => void;
}

/** `onChange` is called whenever something begins or ends to hold. */
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
      // Uploads that were cut by the same event hold once.
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
