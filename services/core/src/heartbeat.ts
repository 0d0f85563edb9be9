import type { ChildProcess } from 'node:child_process';

/** How often a process says by its event loop that it lives, and for how long it may be silent: in milliseconds. */
const beatMs = 2_000;
const silentMs = 20_000;
/** Until the first beat: all modules are loaded meanwhile, on whatever machine. */
const startMs = 120_000;

const beat = 'alive';

/** Tells the parent process, where there is one that listens, every two seconds that the event loop of this one goes round. */
export const sendHeartbeats = (): void => {
  // A parent that is gone is no news here.
  setInterval(() => process.connected && process.send?.(beat, () => undefined), beatMs).unref();
};

/**
 * Calls `onSilent` once when a child has not said for 20 s that its event loop goes round. It counts the beats of this process's own loop: one that
 * stood still itself, or a machine that slept, takes nobody for silent.
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
