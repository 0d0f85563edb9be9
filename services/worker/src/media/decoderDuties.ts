import { writeFileSync } from 'node:fs';
import { DecodeError } from './decodeError.ts';
import { judgeFailure } from './readTrouble.ts';
import { maxDetail, maxText, type FailureAnswer } from './decoderProtocol.ts';

/** What a decoder child owes the process that has started it. It ends itself by signals, never by `process.exit`, which may wait for a decode in the thread pool. */
export function takeOnDecoderDuties(): void {
  // Signals for the whole group are ignored: the parent decides whether a decode is still finished.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  sacrificeFirst();
}

/** What has gone wrong with the file at `path`. @throws whatever is no `DecodeError`: a fault of ours, by which the child ends */
export async function describeFailure(thrown: unknown, path: string): Promise<FailureAnswer> {
  const error = await judgeFailure(thrown, path);
  if (!(error instanceof DecodeError)) throw error;
  const detail = error.cause instanceof Error ? error.cause.message : '';
  const [text, words] = [error.message.slice(0, maxText), detail.slice(0, maxDetail)];
  return { kind: 'failure', code: error.code, text, detail: words };
}

/** When memory runs out everywhere, Linux shall end this process and not the worker or the database beside it. */
function sacrificeFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not allowed here: then Linux chooses by itself.
  }
}
