import { lstatSync, readlinkSync } from 'node:fs';
import type { Command } from './childLimits.ts';
import type { SandboxPaths } from './sandbox.ts';

/** Files and system calls allowed in addition to the sandbox folder. */
export interface BubblewrapOptions {
  readonly readable: readonly string[];
  /** Data folder, hidden even inside a readable folder. */
  readonly dataDirectory: string;
  /** File with the system call filter. Undefined on CPU architectures without one. */
  readonly filter: string | undefined;
  /** True if nested user namespaces are forbidden. bubblewrap before 0.8 and some containers do not support this. */
  readonly isInnermost: boolean;
}

/**
 * Wraps a command to run in its own namespaces: without network, without sockets or processes of the host, without files except the readable ones and
 * its sandbox, and without a way to gain privileges. The command ends with its parent process.
 */
export const bubblewrap = (
  program: string,
  { readable, dataDirectory, filter, isInnermost }: BubblewrapOptions,
  command: Command,
  { inputFolder, outputFile }: SandboxPaths,
): Command => {
  const isDataExposed = readable.some((path) => `${dataDirectory}/`.startsWith(`${path}/`));
  const [file, ...args]: Command = filter === undefined ? [program] : wrapWithFilter(program, filter);
  return [
    file,
    ...args,
    ...(isInnermost ? ['--unshare-user', '--disable-userns'] : []),
    ...'--unshare-all --die-with-parent --new-session --cap-drop ALL'.split(' '),
    ...readable.flatMap(bindReadOnly),
    ...'--proc /proc --dev /dev'.split(' '),
    ...(isDataExposed ? ['--tmpfs', dataDirectory] : []),
    '--ro-bind',
    inputFolder,
    inputFolder,
    ...(outputFile === undefined ? [] : ['--bind', outputFile, outputFile]),
    // Makes these folders read-only, because they are in memory, which writes would fill. In /proc, root could change kernel settings even without
    // capabilities. One setting names a program that the kernel runs outside of the sandbox.
    ...(isDataExposed ? ['--remount-ro', dataDirectory] : []),
    ...'--remount-ro /dev --remount-ro / --remount-ro /proc --chdir /'.split(' '),
    '--',
    ...command,
  ];
};

/** bubblewrap reads the filter from a file descriptor and then closes it. */
const wrapWithFilter = (program: string, filter: string): Command => [
  '/bin/sh',
  '-c',
  'exec 9<"$0"; exec "$@"',
  filter,
  program,
  '--seccomp',
  '9',
];

/** On most systems /bin and others are symbolic links, which cannot be mount points. */
const bindReadOnly = (path: string): string[] =>
  lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
