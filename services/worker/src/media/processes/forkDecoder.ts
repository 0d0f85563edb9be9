import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@hearth/core/compileCache.ts';
import { limitCommand, type ChildLimits } from '../confinement/childLimits.ts';
import type { Box } from '../confinement/box.ts';
import { channelDescriptor, openChannel, type ChannelEnd } from './decoderChannel.ts';

/**
 * Starts a decoding program in its box: a process that holds none of our secrets and dies with us (by `decoderDuties.ts` and its
 * confinement). `endChild.ts` ends it.
 */
export const forkDecoder = (program: URL, args: readonly string[], box: Box, limits: ChildLimits): ChildProcess => {
  // Pictures lie outside of JavaScript's heap, so only a small young generation makes the garbage collector free them soon. After 800
  // photos of 12 MP a child holds 170 MB; without this 330 MB and growing. So children need no renewal (2026-11).
  const command = box.confine([process.execPath, '--max-semi-space-size=1', fileURLToPath(program), ...args]);
  const [file, ...rest] = limitCommand(command, limits);
  return spawn(file, rest, {
    // A decoder that was taken over cannot read the worker's environment, which holds secrets. Two malloc arenas: 207 MB at the peak
    // instead of 320 MB (12 MP photos, two at a time).
    env: { MALLOC_ARENA_MAX: '2', ...compileCache },
    // A process group of its own: only the worker gets Ctrl-C, and decides whether a decode is still finished.
    detached: true,
    // If our log is a file, a process with its descriptor may read all of it, and shorten it.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
};

/** Our end of the channel to a decoder. */
export const openChannelTo = <Message>({ stdio }: ChildProcess, end: ChannelEnd<Message>) =>
  openChannel(stdio[channelDescriptor] as Socket, end);
