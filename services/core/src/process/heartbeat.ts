import type { ChildProcess } from 'node:child_process';

/** Interval of heartbeats, in ms. */
const intervalMs = 2_000;

/** Maximum time between two heartbeats, in ms. */
const timeoutMs = 20_000;

/** Maximum time to the first heartbeat, in ms. The child loads all its modules in this time. */
const startTimeoutMs = 120_000;

const heartbeat = 'alive';

/** Sends a heartbeat to the parent process every two seconds, from this process's event loop. */
export const sendHeartbeats = (): void => {
  // `onParentGone` handles the end of the parent.
  setInterval(() => process.connected && process.send?.(heartbeat, () => undefined), intervalMs).unref();
};

/**
 * Calls `onSilent` once when a child has sent no heartbeat for 20 s, or none at all for 120 s after its start. Counts
 * timer ticks of this process instead of reading a clock, so that no child counts as silent after this process was
 * blocked or the machine slept.
 */
export const watchHeartbeats = (child: ChildProcess, onSilent: () => void): void => {
  let remainingMs = startTimeoutMs;
  const timer = setInterval(() => {
    remainingMs -= intervalMs;
    if (remainingMs > 0) return;
    clearInterval(timer);
    onSilent();
  }, intervalMs).unref();
  child.on('message', (message) => {
    if (message === heartbeat) remainingMs = timeoutMs;
  });
  child.once('exit', () => clearInterval(timer));
};
