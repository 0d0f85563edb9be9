import { lstatSync, readlinkSync } from 'node:fs';
import type { Command } from './childLimits.ts';
import type { BoxPaths } from './box.ts';

/** What a child sees besides its box. */
export interface BubblewrapOptions {
  readonly readable: readonly string[];
  /** The data folder, hidden even where it lies in a readable folder. */
  readonly dataDirectory: string;
  /** A file with the filter of system calls, or none where this machine's are not known. */
  readonly filter: string | undefined;
  /** Whether nested namespaces are forbidden: a bubblewrap before 0.8 cannot forbid them, and some containers do not allow it. */
  readonly isInnermost: boolean;
}

/**
 * The command that runs another one in namespaces of its own: no network and no sockets of the host, no other process, no file but the
 * readable ones and its box, and no way to more rights. It dies with the process that has started it.
 */
export const bubblewrap = (
  program: string,
  { readable, dataDirectory, filter, isInnermost }: BubblewrapOptions,
  command: Command,
  { inside, outside }: BoxPaths,
): Command => {
  const isHiddenBy = readable.some((path) => `${dataDirectory}/`.startsWith(`${path}/`));
  const [file, ...args]: Command = filter === undefined ? [program] : withFilter(program, filter);
  return [
    file,
    ...args,
    ...(isInnermost ? ['--unshare-user', '--disable-userns'] : []),
    ...'--unshare-all --die-with-parent --new-session --cap-drop ALL'.split(' '),
    ...readable.flatMap(show),
    ...'--proc /proc --dev /dev'.split(' '),
    ...(isHiddenBy ? ['--tmpfs', dataDirectory] : []),
    '--ro-bind',
    inside,
    inside,
    ...(outside === undefined ? [] : ['--bind', outside, outside]),
    // These folders are in memory, and what is written to them would fill it. In /proc, root could change kernel settings even without
    // capabilities; one of these settings names a program that the kernel runs outside.
    ...(isHiddenBy ? ['--remount-ro', dataDirectory] : []),
    ...'--remount-ro /dev --remount-ro / --remount-ro /proc --chdir /'.split(' '),
    '--',
    ...command,
  ];
};

/** bubblewrap reads the filter from a descriptor and then closes it. */
const withFilter = (program: string, filter: string): Command => [
  '/bin/sh',
  '-c',
  'exec 9<"$0"; exec "$@"',
  filter,
  program,
  '--seccomp',
  '9',
];

/** Most systems have links for /bin and others, which a mount cannot replace. */
const show = (path: string): string[] =>
  lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
