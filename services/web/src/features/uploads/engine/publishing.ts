import { nextSpeed, secondsLeft, startSpeed, getWork } from '../plan/pace.ts';
import { isPlanBusy, getProgress, type UploadPlan } from '../plan/uploadPlan.ts';
import type { UploadSnapshot } from './uploadEngine.ts';

/** Minimum interval between snapshots, in ms. */
const publishIntervalMs = 250;

/** Interval of speed measurements, in ms. */
const measureIntervalMs = 1000;

/** Publishes snapshots of the uploads at a limited rate. */
export interface Publishing {
  readonly changed: () => void;
  readonly stop: () => void;
}

export const startPublishing = (
  read: () => Omit<UploadSnapshot, 'progress' | 'secondsLeft'>,
  publish: (snapshot: UploadSnapshot) => void,
): Publishing => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFresh = true;
  let speed = startSpeed(0, 0);

  const measure = (plan: UploadPlan, isRunning: boolean): number | undefined => {
    const { files, settledFiles, bytes, settledBytes } = getProgress(plan);
    // Files refused by name took no work and can number thousands.
    const refused = plan.tallies.refused.files;
    const done = getWork(settledFiles - refused, settledBytes);
    const now = performance.now();
    if (isFresh || !isRunning) speed = { ...speed, atMs: now, bytes: done };
    else if (now - speed.atMs >= measureIntervalMs) speed = nextSpeed(speed, now, done);
    isFresh = false;
    return isRunning ? secondsLeft(speed, getWork(files - refused, bytes) - done) : undefined;
  };
  const publishNow = (): void => {
    timer = undefined;
    const state = read();
    const isStopped = state.isPaused || state.haltedBy !== undefined || state.heldBy !== undefined;
    const isRunning = isPlanBusy(state.plan) && !isStopped;
    publish({ ...state, progress: getProgress(state.plan), secondsLeft: measure(state.plan, isRunning) });
  };
  return {
    changed: () => {
      timer ??= setTimeout(publishNow, publishIntervalMs);
    },
    stop: () => clearTimeout(timer),
  };
};
