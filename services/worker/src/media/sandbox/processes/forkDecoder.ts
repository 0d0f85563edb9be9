import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { limitCommand, type ChildLimits } from '../confinement/childLimits.ts';
import type { Sandbox } from '../confinement/sandbox.ts';
import { channelDescriptor, openChannel, type ChannelEnd } from './decoderChannel.ts';

/**
 * One malloc arena with a fixed trim threshold returns freed pictures to the system at once. By default glibc keeps up to 64 MB after a large
 * picture.
 * A child uses 92 MB on average instead of 127 (12 MP JPEGs, previews and crops), or 98 instead of 145 (HEICs). A 4K video takes a peak of 241 MB
 * instead of 277. These settings cost 8 % more CPU time per photo (2026-11).
 */
const mallocSettings = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' } as const;

/**
 * Starts a decoder in its sandbox: a process that gets no secrets, and ends when the worker ends (see `openChannelToParent`). `endChild` ends it earlier.
 */
export const forkDecoder = (
  program: URL,
  args: readonly string[],
  sandbox: Sandbox,
  limits: ChildLimits,
): ChildProcess => {
  // Pictures are outside of JavaScript's heap. A small young generation makes the garbage collector free them soon: after 800 photos of 12 MP a child
  // uses 170 MB, otherwise 330 MB and growing. So children need no periodic restart (2026-11).
  const command = sandbox.confine([process.execPath, '--max-semi-space-size=1', fileURLToPath(program), ...args]);
  const [file, ...rest] = limitCommand(command, limits);
  return spawn(file, rest, {
    // A compromised decoder must not read the worker's environment, which has secrets.
    env: { ...mallocSettings, ...compileCache },
    // In its own process group: only the worker gets Ctrl-C, and decides whether to finish an active decode.
    detached: true,
    // A process with the descriptor of the log file could read and truncate it.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
};

/** Opens the worker's end of the channel to a decoder. */
export const openChannelTo = <Message>({ stdio }: ChildProcess, end: ChannelEnd<Message>) =>
  openChannel(stdio[channelDescriptor] as Socket, end);
