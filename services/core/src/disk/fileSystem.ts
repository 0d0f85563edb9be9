import { statfs } from 'node:fs/promises';

/** How full a file system is. */
export interface FileSystem {
  readonly totalBytes: number;
  /** What may still be written there by others than the system's administrator. */
  readonly freeBytes: number;
}

/** The file system that a path lies on; undefined where nobody can say, such as where there is no such path. */
export type ReadFileSystem = (path: string) => Promise<FileSystem | undefined>;

/** Asks the system. */
export const readFileSystem: ReadFileSystem = async (path) => {
  try {
    const { bsize, blocks, bavail } = await statfs(path);
    return { totalBytes: blocks * bsize, freeBytes: bavail * bsize };
  } catch {
    return undefined;
  }
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
