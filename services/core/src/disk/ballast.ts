import { randomFillSync } from 'node:crypto';
import { open, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

const MiB = 2 ** 20;

/**
 * While fewer bytes than this are free, the ballast shrinks. PostgreSQL's WAL grows by files of 16 MiB, and PostgreSQL
 * shuts down without space for the next one.
 */
export const ballastMarkBytes = 32 * MiB;

/**
 * Bytes to add or remove per step. Not all at once: a program that fills the disk takes whatever is freed and stops
 * when it finds no more. Small steps also let this process shut down while the file grows.
 */
const stepBytes = 64 * MiB;

/**
 * [Note: Ballast] The ballast is a file that only reserves disk space, next to the embedded PostgreSQL. Deleting photos
 * needs space, too: rows are marked, and every change is written to the WAL first. If other programs fill the disk, the
 * file shrinks step by step, so that PostgreSQL can start and rows can be deleted. It grows again when there is space.
 * It is filled with random bytes, because a sparse or compressible file would reserve nothing.
 */
export interface Ballast {
  readonly heldBytes: number;
  /** Number of bytes by which the file is smaller than its target size. */
  readonly missingBytes: number;
  setTarget(bytes: number): void;
  /** Shrinks the file by one step. */
  shrink(): Promise<void>;
  /** Grows the file by one step, at most to the target size. */
  grow(): Promise<void>;
}

/** Opens the ballast in `directory`, which an earlier process may have created. */
export const openBallast = async (directory: string): Promise<Ballast> => {
  const path = join(directory, 'ballast');
  let heldBytes = (await stat(path).catch(() => undefined))?.size ?? 0;
  let targetBytes = heldBytes;

  const shrinkTo = async (bytes: number): Promise<void> => {
    if (bytes >= heldBytes) return;
    await (bytes === 0 ? rm(path, { force: true }) : truncate(path, bytes));
    heldBytes = bytes;
  };
  return {
    get heldBytes() {
      return heldBytes;
    },
    get missingBytes() {
      return Math.max(0, targetBytes - heldBytes);
    },
    setTarget: (bytes) => {
      targetBytes = bytes;
    },
    shrink: () => shrinkTo(Math.max(0, heldBytes - stepBytes)),
    grow: async () => {
      await shrinkTo(targetBytes);
      if (heldBytes === targetBytes) return;
      // Larger than the blocks that file systems compress, so that repeating the bytes does not make the file
      // compressible.
      const randomBytes = randomFillSync(Buffer.allocUnsafeSlow(MiB));
      await using file = await open(path, heldBytes === 0 ? 'w' : 'r+', 0o600);
      const until = Math.min(targetBytes, heldBytes + stepBytes);
      while (heldBytes < until) {
        const length = Math.min(randomBytes.length, until - heldBytes);
        heldBytes += (await file.write(randomBytes, 0, length, heldBytes)).bytesWritten;
      }
      await file.sync();
    },
  };
};
