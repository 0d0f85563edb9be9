import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { limitCommand, type ChildLimits } from '../confinement/childLimits.ts';
import type { Box } from '../confinement/box.ts';
import { channelDescriptor, openChannel, type ChannelEnd } from './decoderChannel.ts';

/**
 * One malloc arena, and a trim threshold that stays: a freed picture goes back to the system at once, where glibc by itself keeps up to 64 MB once a
 * picture has been large. On the average a child holds 92 MB instead of 127 (JPEGs of 12 MP, their previews and what is cut out of them) or 98
 * instead of 145 (HEICs), and a 4K video takes 241 MB at its peak instead of 277. It costs 8 % of a photo's processor time (2026-11).
 */
const mallocSettings = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' } as const;

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
    // A decoder that was taken over cannot read the worker's environment, which holds secrets.
    env: { ...mallocSettings, ...compileCache },
    // A process group of its own: only the worker gets Ctrl-C, and decides whether a decode is still finished.
    detached: true,
    // If our log is a file, a process with its descriptor may read all of it, and shorten it.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
};

/** Our end of the channel to a decoder. */
export const openChannelTo = <Message>({ stdio }: ChildProcess, end: ChannelEnd<Message>) =>
  openChannel(stdio[channelDescriptor] as Socket, end);
