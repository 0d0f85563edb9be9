import type { Log } from '../log/log.ts';

/** One step of the shutdown, with its name for the log. */
export interface ShutdownStep {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/** Calls `end` when the parent process is gone, however it ended, also if that was before this call. Never calls it without a channel to the parent. */
export const onParentGone = (end: () => void): void => {
  process.on('disconnect', () => end());
  // The property is there only where there was a channel.
  if ('connected' in process && !process.connected) end();
};

/**
 * Runs the steps once, one after another, when the process is asked to end (SIGTERM, SIGINT, or its parent is gone), then
 * exits 0. A step that fails is logged and the next one runs. After `timeoutMs` the process exits 1 whatever is left, and a
 * second SIGINT exits at once: what was cut off then is finished after the next start.
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
