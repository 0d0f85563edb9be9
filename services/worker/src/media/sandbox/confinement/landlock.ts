import { statSync } from 'node:fs';
import type { Command } from './childLimits.ts';
import type { BoxPaths } from './box.ts';

/** What a child may reach besides its box. */
export interface LandlockOptions {
  readonly readable: readonly string[];
  /** A file with the filter of system calls, or none where this machine's are not known. */
  readonly filter: string | undefined;
}

/**
 * The command that runs another one by `setpriv` of util-linux 2.40 (Linux 5.13): with no file but the readable ones and its box, without
 * other processes' memory and environment, without new sockets, and with no way to more rights. It may still signal processes of the same
 * user.
 */
export const landlock = (
  program: string,
  { readable, filter }: LandlockOptions,
  command: Command,
  { inside, outside }: BoxPaths,
): Command => [
  program,
  '--no-new-privs',
  '--landlock-access',
  'fs',
  // Only root has capabilities to lose, and may give them up.
  ...(process.getuid?.() === 0 ? ['--inh-caps=-all', '--bounding-set=-all'] : []),
  ...[...readable, inside, '/proc/self'].flatMap((path) =>
    allow(`read-file,execute${isFolder(path) ? ',read-dir' : ''}`, path),
  ),
  ...devices.flatMap((path) => allow('read-file,write-file', path)),
  ...(outside === undefined ? [] : allow('read-file,write-file,truncate', outside)),
  ...(filter === undefined ? [] : ['--seccomp-filter', filter]),
  '--',
  ...command,
];

const isFolder = (path: string): boolean => statSync(path).isDirectory();

const allow = (access: string, path: string): string[] => ['--landlock-rule', `path-beneath:${access}:${path}`];

const devices = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'];
