import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { limitCommand, type ChildLimits } from './childLimits.ts';
import type { Box } from './confinement/box.ts';
import { DecodeError } from './decodeError.ts';
import { channelDescriptor, openChannel, type ChannelEnd } from './decoderChannel.ts';
import { outOfMemorySignal } from './decoderProtocol.ts';

/**
 * Starts a program that decodes, in its box: a process that holds none of our secrets and, by `decoderDuties.ts` and its confinement, dies with us.
 * It has gone when `close` is told: `exit` may be that of the program that confines it.
 */
export const forkDecoder = (program: URL, args: readonly string[], box: Box, limits: ChildLimits): ChildProcess => {
  // Pictures weigh nothing in JavaScript's heap; only a small nursery makes it collect them soon. After 800 photos
  // of 12 MP a child holds 170 MB, without this 330 MB and growing, so children need no renewal (2026-11).
  const command = box.confine([process.execPath, '--max-semi-space-size=1', fileURLToPath(program), ...args]);
  const [file, ...rest] = limitCommand(command, limits);
  return spawn(file, rest, {
    // The worker's environment, secrets and all, is out of reach of a decoder that was taken over.
    // Two malloc arenas: 207 MB at the peak instead of 320 MB (12 MP photos, two at a time).
    env: { MALLOC_ARENA_MAX: '2' },
    // A process group of its own: Ctrl-C is for the worker, which decides whether a decode is still finished.
    detached: true,
    // Where our log is a file, whoever holds its descriptor may read all of it, and shorten it.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
};

/** Our end of the channel to a decoder. */
export const openChannelTo = <Message>({ stdio }: ChildProcess, end: ChannelEnd<Message>) =>
  openChannel(stdio[channelDescriptor] as Socket, end);

/** Why a decoder ended by itself; `what` is a picture or a video. */
export function explainExit(
  code: number | null,
  signal: string | null,
  { memoryLimitBytes, what }: { readonly memoryLimitBytes: number; readonly what: 'picture' | 'video' },
): DecodeError {
  const reason = signal ?? signalOf(code);
  if (reason === outOfMemorySignal) {
    const limit = `${Math.round(memoryLimitBytes / 1e6)} MB`;
    return new DecodeError('OUT_OF_MEMORY', `Decoding the ${what} took more than ${limit} of memory.`);
  }
  return new DecodeError('CRASHED', `The decoder ended unexpectedly (${reason ?? `exit code ${code}`}).`);
}

/** What confines a decoder outlives it, and tells of its signal as a shell does. */
const signalOf = (code: number | null): string | undefined =>
  Object.entries(constants.signals).find(([, number]) => 128 + number === code)?.[0];
