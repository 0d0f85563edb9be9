import type { ChildProcess } from 'node:child_process';

/** Interval of heartbeats, and maximum time without one, in ms. */
const beatMs = 2_000;
const silentMs = 20_000;
/** Maximum time to the first heartbeat, in ms. The process loads all its modules before it. */
const startMs = 120_000;

const beat = 'alive';

/** Sends a heartbeat to the parent process every two seconds, from this process's event loop. */
export const sendHeartbeats = (): void => {
  // `onParentGone` handles the end of the parent.
  setInterval(() => process.connected && process.send?.(beat, () => undefined), beatMs).unref();
};

/**
 * Calls `onSilent` once when a child has sent no heartbeat for 20 s. Counts timer ticks of this process instead of
 * reading a clock, so that no child counts as silent after this process was blocked or the machine slept.
 */
export const watchHeartbeats = (child: ChildProcess, onSilent: () => void): void => {
  let patience = startMs;
  const timer = setInterval(() => {
    patience -= beatMs;
    if (patience > 0) return;
    clearInterval(timer);
    onSilent();
  }, beatMs).unref();
  child.on('message', (message) => {
    if (message === beat) patience = silentMs;
  });
  child.once('exit', () => clearInterval(timer));
};
