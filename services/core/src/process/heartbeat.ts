import type { ChildProcess } from 'node:child_process';

/** Milliseconds between two heartbeats of a process, and for how long it may be silent. */
const beatMs = 2_000;
const silentMs = 20_000;
/** Milliseconds until the first heartbeat, before which the process loads all its modules. */
const startMs = 120_000;

const beat = 'alive';

/** Sends the parent process, if it listens, a heartbeat every two seconds while the event loop of this process turns. */
export const sendHeartbeats = (): void => {
  // `onParentGone` handles a parent that is gone.
  setInterval(() => process.connected && process.send?.(beat, () => undefined), beatMs).unref();
};

/**
 * Calls `onSilent` once when a child has sent no heartbeat for 20 s. That time is counted in turns of this process's own event loop, so no child
 * counts as silent after this process stood still or the machine slept.
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
