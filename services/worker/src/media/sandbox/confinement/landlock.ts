import { statSync } from 'node:fs';
import type { Command } from './childLimits.ts';
import type { SandboxPaths } from './sandbox.ts';

/** Files and system calls allowed in addition to the sandbox folder. */
export interface LandlockOptions {
  readonly readable: readonly string[];
  /** File with the system call filter. Undefined on CPU architectures without one. */
  readonly filter: string | undefined;
}

/**
 * Wraps a command to run by `setpriv` of util-linux 2.40 (Linux 5.13): without files except the readable ones and its sandbox, without access to
 * other processes' memory and environment, without new sockets, and without a way to gain privileges. The command can still
 * signal processes of the same user.
 */
export const landlock = (
  program: string,
  { readable, filter }: LandlockOptions,
  command: Command,
  { inputFolder, outputFile }: SandboxPaths,
): Command => [
  program,
  '--no-new-privs',
  '--landlock-access',
  'fs',
  // Only root has capabilities, and is allowed to drop them.
  ...(process.getuid?.() === 0 ? ['--inh-caps=-all', '--bounding-set=-all'] : []),
  ...[...readable, inputFolder, '/proc/self'].flatMap((path) =>
    allowAccess(`read-file,execute${isFolder(path) ? ',read-dir' : ''}`, path),
  ),
  ...devices.flatMap((path) => allowAccess('read-file,write-file', path)),
  ...(outputFile === undefined ? [] : allowAccess('read-file,write-file,truncate', outputFile)),
  ...(filter === undefined ? [] : ['--seccomp-filter', filter]),
  '--',
  ...command,
];

const isFolder = (path: string): boolean => statSync(path).isDirectory();

const allowAccess = (access: string, path: string): string[] => ['--landlock-rule', `path-beneath:${access}:${path}`];

const devices = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'];
