import { writeFileSync } from 'node:fs';
import { DecodeError } from '../../errors/decodeError.ts';
import { confirmDamage } from '../../errors/readTrouble.ts';
import { maxDetail, maxText, type FailureAnswer } from './decoderAnswers.ts';

/**
 * Sets up signals and memory priority of a decoder child. A child ends itself by signals: `process.exit` may wait for a decode in the thread pool.
 */
export function takeOnDecoderDuties(): void {
  // Ignores signals to the process group: the parent decides if an active decode is finished.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  sacrificeFirst();
}

/** Converts a failure with the file at `path` to a response. @throws all errors other than `DecodeError`: they are bugs, and end the child */
export async function describeFailure(thrown: unknown, path: string): Promise<FailureAnswer> {
  const error = await confirmDamage(thrown, path);
  if (!(error instanceof DecodeError)) throw error;
  const detail = error.cause instanceof Error ? error.cause.message : '';
  const [text, words] = [error.message.slice(0, maxText), detail.slice(0, maxDetail)];
  return { kind: 'failure', code: error.code, text, detail: words };
}

/** Makes Linux kill this process before the worker or the database when memory runs out. */
function sacrificeFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not permitted.
  }
}
