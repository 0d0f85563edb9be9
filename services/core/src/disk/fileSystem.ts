import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** How full a file system is. */
export interface FileSystem {
  readonly totalBytes: number;
  /** Bytes that users other than the system's administrator may still write. */
  readonly freeBytes: number;
}

/** The file system that a path lies on; undefined where that is not known: there is no such path, or the file system states no size. */
export type ReadFileSystem = (path: string) => Promise<FileSystem | undefined>;

/** Reads the file system from the operating system. */
export const readFileSystem: ReadFileSystem = async (path) => {
  try {
    const sizes = sizesOf(await statfs(path));
    // Some network file systems state only zeros, and accept files all the same.
    return sizes.totalBytes === 0 ? undefined : sizes;
  } catch {
    return undefined;
  }
};

/** Blocks are counted in `frsize`; `bsize`, the best size of a read or write, is larger on some FUSE and network file systems. */
export const sizesOf = ({
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
 * The bytes that stay free in a file system: `asked` if defined, else the larger of 2 GiB and 2 %, but never more than a tenth of a small file
 * system.
 */
export const reserveOf = ({ totalBytes }: FileSystem, asked: number | undefined): number =>
  asked ?? Math.min(Math.max(2 * GiB, 0.02 * totalBytes), 0.1 * totalBytes);

/** The size of the ballast for a reserve, see [Note: Ballast]. */
export const ballastBeside = (reserveBytes: number): number => Math.min(256 * MiB, Math.floor(reserveBytes));
