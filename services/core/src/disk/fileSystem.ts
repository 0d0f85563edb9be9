import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** How full a file system is. */
export interface FileSystem {
  readonly totalBytes: number;
  /** What may still be written there by others than the system's administrator. */
  readonly freeBytes: number;
}

/** The file system that a path lies on; undefined where nobody can say: there is no such path, or it has no size. */
export type ReadFileSystem = (path: string) => Promise<FileSystem | undefined>;

/** Asks the system. */
export const readFileSystem: ReadFileSystem = async (path) => {
  try {
    const sizes = sizesOf(await statfs(path));
    // Some network file systems answer nothing but zeros, and take all the same.
    return sizes.totalBytes === 0 ? undefined : sizes;
  } catch {
    return undefined;
  }
};

/** Blocks are counted in `frsize`; `bsize`, by which it is best to read and write, is larger on some FUSE and network file systems. */
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
 * What is to stay free of a file system: as many bytes as were asked for, else the larger of 2 GiB and 2 %, but never more than a tenth of a
 * small one.
 */
export const reserveOf = ({ totalBytes }: FileSystem, asked: number | undefined): number =>
  asked ?? Math.min(Math.max(2 * GiB, 0.02 * totalBytes), 0.1 * totalBytes);

/** How large the ballast is beside a reserve, see [Note: Ballast]. */
export const ballastBeside = (reserveBytes: number): number => Math.min(256 * MiB, Math.floor(reserveBytes));
