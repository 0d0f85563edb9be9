import { spawnSync } from 'node:child_process';

/** The command that runs another one where `directory` is a disk of its own with `sizeMiB` in memory, which goes away with the last process that sees it. */
export const onSmallDisk = (directory: string, sizeMiB: number, command: readonly string[]): string[] => [
  'unshare',
  ...namespaces(),
  'sh',
  '-c',
  `mount -t tmpfs -o size=${sizeMiB}m,mode=700 tmpfs "$0" && exec "$@"`,
  directory,
  ...command,
];

/** Where a process sees `path`, for those outside. */
export const seenBy = (pid: number, path: string): string => `/proc/${pid}/root${path}`;

/** Options of a test that needs such a disk, which root and most systems' users can make, and most containers cannot. */
export const needsSmallDisk = (): { readonly skip: string | false } => {
  if (process.platform !== 'linux') return { skip: 'it mounts a file system of its own, by Linux' };
  const [command = '', ...args] = onSmallDisk('/mnt', 1, ['true']);
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  const why = error?.message ?? stderr.trim();
  return { skip: status === 0 ? false : `a file system of its own cannot be mounted here: ${why}` };
};

/** An ordinary user may mount in a namespace where they stay who they are: PostgreSQL refuses to be root, and knows nobody else there. */
const namespaces = (): string[] =>
  process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-current-user', '--keep-caps', '--mount'];
