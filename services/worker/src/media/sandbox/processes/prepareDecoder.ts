import { writeFileSync } from 'node:fs';
import { DecodeError } from '../../errors/decodeError.ts';
import { verifyDamage } from '../../errors/readErrors.ts';
import { maxDetailLength, maxTextLength, type FailureResponse } from './decoderResponses.ts';

/**
 * Sets up signals and memory priority of a decoder child. A child ends itself by signals: `process.exit` may wait for a decode in the thread pool.
 */
export function prepareDecoder(): void {
  // Ignores signals to the process group: the parent decides whether to finish an active decode.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  preferAsOomVictim();
}

/** Converts a failure with the file at `path` to a response. @throws all errors other than `DecodeError`: they are bugs, and end the child */
export async function describeFailure(thrown: unknown, path: string): Promise<FailureResponse> {
  const error = await verifyDamage(thrown, path);
  if (!(error instanceof DecodeError)) throw error;
  const detail = error.cause instanceof Error ? error.cause.message : '';
  const [text, shortDetail] = [error.message.slice(0, maxTextLength), detail.slice(0, maxDetailLength)];
  return { kind: 'failure', code: error.code, text, detail: shortDetail };
}

/** Makes Linux kill this process before the worker or the database when memory runs out. */
function preferAsOomVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not permitted.
  }
}
