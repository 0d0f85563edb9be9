import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNoSpace as isNoSpaceOfSystem } from '@hearth/core/objects/objectErrors.ts';

/** The disk on which this server works is full. No file is to blame. */
export class NoSpaceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoSpaceError';
  }
}

/** Whether `error`, or an error that has caused it, says that a disk is full. */
export const isNoSpace = (error: unknown): boolean =>
  isNoSpaceOfSystem(error) || (error instanceof Error && (error instanceof NoSpaceError || isNoSpace(error.cause)));

/** Bytes of the trial write: more than any decoder writes at a time. */
const triedBytes = 1024 * 1024;

/**
 * Whether the disk of this folder is full, found out by a trial write: the number of free bytes ignores quotas and the space reserved for
 * root.
 */
export async function isDiskFull(folder: string): Promise<boolean> {
  const path = join(folder, `room-${randomUUID()}`);
  try {
    await writeFile(path, Buffer.alloc(triedBytes, 0x5a));
    return false;
  } catch (error) {
    return isNoSpace(error);
  } finally {
    await rm(path, { force: true });
  }
}
