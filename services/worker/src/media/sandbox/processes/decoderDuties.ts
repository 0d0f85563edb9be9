import { writeFileSync } from 'node:fs';
import { DecodeError } from '../../errors/decodeError.ts';
import { confirmDamage } from '../../errors/readTrouble.ts';
import { maxDetail, maxText, type FailureAnswer } from './decoderAnswers.ts';

/**
 * Sets up what every decoder child owes its parent. The child ends itself by signals, never by `process.exit`, which may wait for a decode
 * in the thread pool.
 */
export function takeOnDecoderDuties(): void {
  // Ignores signals for the whole process group: the parent decides whether a decode is still finished.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  sacrificeFirst();
}

/** The answer to a failure with the file at `path`. @throws every error that is no `DecodeError`: it is our fault, and ends the child */
export async function describeFailure(thrown: unknown, path: string): Promise<FailureAnswer> {
  const error = await confirmDamage(thrown, path);
  if (!(error instanceof DecodeError)) throw error;
  const detail = error.cause instanceof Error ? error.cause.message : '';
  const [text, words] = [error.message.slice(0, maxText), detail.slice(0, maxDetail)];
  return { kind: 'failure', code: error.code, text, detail: words };
}

/** Makes Linux end this process before the worker or the database when memory runs out. */
function sacrificeFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not allowed: then the system chooses by itself.
  }
}
