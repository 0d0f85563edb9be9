import { randomFillSync } from 'node:crypto';
import { open, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

const MiB = 2 ** 20;

/** The number of free bytes below which ballast is dropped: PostgreSQL's log grows by files of 16 MiB, and without room for one it ends. */
export const ballastMarkBytes = 32 * MiB;

/**
 * Bytes dropped or made at once: not everything, since a program that fills the disk takes whatever appears, and ends when it finds no more; and
 * whoever asks this process to end does not wait until all is made.
 */
const stepBytes = 64 * MiB;

/**
 * [Note: Ballast] A file of no use but its size, beside the embedded PostgreSQL. Deleting photos takes room too: rows are marked, and every
 * change is written to the log first. On a disk that others have filled to the last byte the file is dropped, bit by bit, so that PostgreSQL
 * can start and rows can be removed; it is made anew when there is space again. It is written and not only declared, since a file with holes
 * takes no room, and with bytes that no file system can compress.
 */
export interface Ballast {
  readonly heldBytes: number;
  /** Bytes that are missing from the target size. */
  readonly missingBytes: number;
  setTarget(bytes: number): void;
  /** Shrinks the file by one step. */
  shrink(): Promise<void>;
  /** Grows the file by one step, at most to the target size. */
  grow(): Promise<void>;
}

/** The ballast in `directory`, as an earlier process has left it. */
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
      // Larger than what any file system compresses at once, so that it looks random however often it is repeated.
      const noise = randomFillSync(Buffer.allocUnsafeSlow(MiB));
      await using file = await open(path, heldBytes === 0 ? 'w' : 'r+', 0o600);
      const until = Math.min(targetBytes, heldBytes + stepBytes);
      while (heldBytes < until) {
        const length = Math.min(noise.length, until - heldBytes);
        heldBytes += (await file.write(noise, 0, length, heldBytes)).bytesWritten;
      }
      await file.sync();
    },
  };
};
