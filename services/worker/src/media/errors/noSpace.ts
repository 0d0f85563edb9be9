import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNoSpace as isNoSpaceOfSystem } from '@hearth/core/objects/objectErrors.ts';

/** The worker's disk is full. The file being processed is not the cause. */
export class NoSpaceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoSpaceError';
  }
}

/** True if `error` or one of its causes reports a full disk. */
export const isNoSpaceError = (error: unknown): boolean =>
  isNoSpaceOfSystem(error) ||
  (error instanceof Error && (error instanceof NoSpaceError || isNoSpaceError(error.cause)));

/** Size of the test write: more than any decoder writes at a time. */
const testBytes = 1024 * 1024;

/** Checks by a test write if the disk of this folder is full. The number of free bytes ignores quotas and the space reserved for root. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const path = join(folder, `space-${randomUUID()}`);
  try {
    await writeFile(path, Buffer.alloc(testBytes, 0x5a));
    return false;
  } catch (error) {
    return isNoSpaceError(error);
  } finally {
    await rm(path, { force: true });
  }
}
