import type { Log } from '../log/log.ts';

/** A step of the shutdown. The name is for the log. */
export interface ShutdownStep {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/**
 * Calls `end` when the parent process is gone, even if that was before this call. Never calls it without an IPC channel
 * to the parent.
 */
export const onParentGone = (end: () => void): void => {
  process.on('disconnect', () => end());
  // The property exists only if there was a channel.
  if ('connected' in process && !process.connected) end();
};

/**
 * Runs the steps once, one after another, on SIGTERM, SIGINT or when the parent process is gone, then exits with 0.
 * Logs a failed step and runs the next one. Exits with 1 after `timeoutMs`, and immediately on a second SIGINT: the
 * next start finishes what was cut off. The returned function starts the shutdown with the given exit code.
 */
export const shutDownOnSignals = (
  log: Log,
  timeoutMs: number,
  steps: readonly ShutdownStep[],
): ((exitCode?: number) => void) => {
  let isEnding = false;
  const end = async (exitCode: number): Promise<void> => {
    setTimeout(() => {
      log.error({ timeoutMs }, 'shutdown took too long, exiting with work unfinished');
      process.exit(1);
    }, timeoutMs).unref();
    for (const { name, run } of steps) {
      try {
        await run();
        log.debug({ step: name }, 'shutdown step done');
      } catch (error) {
        log.error({ err: error, step: name }, 'shutdown step failed');
      }
    }
    process.exit(exitCode);
  };
  const begin = (exitCode = 0): void => {
    if (isEnding) return;
    isEnding = true;
    void end(exitCode);
  };
  process.on('SIGTERM', () => begin());
  process.on('SIGINT', () => (isEnding ? process.exit(130) : begin()));
  onParentGone(begin);
  return begin;
};
