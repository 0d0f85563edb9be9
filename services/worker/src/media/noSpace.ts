import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNoSpace as isNoSpaceOfSystem } from '@hearth/core/objects/objectErrors.ts';

/** The disk is full on which this server works. No file is to blame. */
export class NoSpaceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoSpaceError';
  }
}

/** Whether `error`, or what has caused it, is a disk that takes no more. */
export const isNoSpace = (error: unknown): boolean =>
  isNoSpaceOfSystem(error) || (error instanceof Error && (error instanceof NoSpaceError || isNoSpace(error.cause)));

/** Bytes that are tried: more than any decoder writes at a time. */
const triedBytes = 1024 * 1024;

/** Whether the disk of this folder takes no more, which is tried: of quotas and of what is kept for root, its free bytes do not tell. */
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
