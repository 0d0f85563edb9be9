import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { limitCommand, type ChildLimits } from './childLimits.ts';
import type { Box } from './confinement/box.ts';
import { channelDescriptor, openChannel, type ChannelEnd } from './decoderChannel.ts';

/**
 * Starts a program that decodes, in its box: a process that holds none of our secrets and, by `decoderDuties.ts` and its confinement, dies with us.
 * `endChild.ts` ends it.
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
