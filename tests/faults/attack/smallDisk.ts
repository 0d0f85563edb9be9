import { spawnSync } from 'node:child_process';

/**
 * Wraps a command so that `directory` is a tmpfs of `sizeMiB` for it. The tmpfs disappears with the last process of its
 * mount namespace.
 */
export const runOnSmallDisk = (directory: string, sizeMiB: number, command: readonly string[]): string[] => [
  'unshare',
  ...getUnshareFlags(),
  'sh',
  '-c',
  `mount -t tmpfs -o size=${sizeMiB}m,mode=700 tmpfs "$0" && exec "$@"`,
  directory,
  ...command,
];

/** Returns the path of a process's file for processes outside its mount namespace. */
export const getPathOfProcess = (pid: number, path: string): string => `/proc/${pid}/root${path}`;

/** Returns the options of a test that needs a small disk: it is skipped where no tmpfs can be mounted, as in most containers. */
export const explainMissingNamespaces = (): { readonly skip: string | false } => {
  if (process.platform !== 'linux') return { skip: 'it mounts a tmpfs, which needs Linux' };
  const [command = '', ...args] = runOnSmallDisk('/mnt', 1, ['true']);
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  const reason = error?.message ?? stderr.trim();
  return { skip: status === 0 ? false : `cannot mount a tmpfs here: ${reason}` };
};

/**
 * Ordinary users need a user namespace to mount. They keep their own id in it, because PostgreSQL refuses to run as
 * root and no other user exists there.
 */
const getUnshareFlags = (): string[] =>
  process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-current-user', '--keep-caps', '--mount'];
