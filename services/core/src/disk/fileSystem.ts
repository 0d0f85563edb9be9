import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** The size of a file system. */
export interface FileSystem {
  readonly totalBytes: number;
  /** Bytes available to unprivileged users. */
  readonly freeBytes: number;
}

/** Returns the file system of a path, or undefined if the path is missing or the file system reports no size. */
export type ReadFileSystem = (path: string) => Promise<FileSystem | undefined>;

export const readFileSystem: ReadFileSystem = async (path) => {
  try {
    const sizes = toFileSystemSizes(await statfs(path));
    // Some network file systems report only zeros and still accept files.
    return sizes.totalBytes === 0 ? undefined : sizes;
  } catch {
    return undefined;
  }
};

/**
 * Converts blocks to bytes. Blocks are counted in `frsize`; `bsize`, the preferred I/O size, is larger on some FUSE and
 * network file systems.
 */
export const toFileSystemSizes = ({
  bsize,
  frsize,
  blocks,
  bavail,
}: Pick<StatsFs, 'bsize' | 'frsize' | 'blocks' | 'bavail'>): FileSystem => {
  const blockBytes = frsize || bsize;
  return { totalBytes: blocks * blockBytes, freeBytes: bavail * blockBytes };
};

const MiB = 2 ** 20;
const GiB = 2 ** 30;

/**
 * Returns the bytes to keep free: `configuredBytes` if defined, otherwise the larger of 2 GiB and 2 %, at most a tenth of the
 * file system.
 */
export const computeReserveBytes = ({ totalBytes }: FileSystem, configuredBytes: number | undefined): number =>
  configuredBytes ?? Math.min(Math.max(2 * GiB, 0.02 * totalBytes), 0.1 * totalBytes);

/** Returns the target size of the ballast for a reserve, see [Note: Ballast]. */
export const computeBallastBytes = (reserveBytes: number): number => Math.min(256 * MiB, Math.floor(reserveBytes));
