import { fork, type ChildProcess } from 'node:child_process';
import { DecodeError } from './decodeError.ts';
import { outOfMemorySignal } from './decoderProtocol.ts';

/** Starts a program that decodes: a process that holds none of our secrets and, by `decoderDuties.ts`, dies with us. */
export const forkDecoder = (program: URL, args: readonly string[]): ChildProcess =>
  fork(program, args, {
    serialization: 'advanced',
    // The worker's environment, secrets and all, is out of reach of a decoder that was taken over.
    // Two malloc arenas: 207 MB at the peak instead of 320 MB (12 MP photos, two at a time).
    env: { MALLOC_ARENA_MAX: '2' },
    // Pictures weigh nothing in JavaScript's heap; only a small nursery makes it collect them soon. After 800 photos
    // of 12 MP a child holds 170 MB, without this 330 MB and growing, so children need no renewal (2026-11).
    execArgv: ['--max-semi-space-size=1'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

/** Why a decoder ended by itself; `what` is a picture or a video. */
export function explainExit(
  code: number | null,
  signal: string | null,
  { memoryLimitBytes, what }: { readonly memoryLimitBytes: number; readonly what: 'picture' | 'video' },
): DecodeError {
  if (signal === outOfMemorySignal) {
    const limit = `${Math.round(memoryLimitBytes / 1e6)} MB`;
    return new DecodeError('OUT_OF_MEMORY', `Decoding the ${what} took more than ${limit} of memory.`);
  }
  return new DecodeError('CRASHED', `The decoder ended unexpectedly (${signal ?? `exit code ${code}`}).`);
}
