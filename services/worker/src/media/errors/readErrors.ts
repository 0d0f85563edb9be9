import { open } from 'node:fs/promises';
import { constants } from 'node:os';
import { DecodeError } from './decodeError.ts';

/** Bytes per read. */
const chunkBytes = 1024 * 1024;

/** Reads a whole file; `onBytes` gets all its bytes. @throws Error of the system, or if the file is shorter than its size */
export async function readCompletely(path: string, onBytes: (bytes: Buffer) => void = () => {}): Promise<void> {
  await using file = await open(path);
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.min(chunkBytes, Math.max(1, size)));
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) throw new Error(`the file ends after ${at} of ${size} bytes`);
    onBytes(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/**
 * Returns an `UNREADABLE` error for a system error, and for a permanent error if this process cannot read the whole file. The storage may have
 * failed, so the file is not known to be damaged, and the run is retried. Returns every other error unchanged.
 */
export async function verifyDamage(error: unknown, path: string): Promise<unknown> {
  if (isSystemError(error)) return toUnreadableError(error);
  if (!(error instanceof DecodeError && error.permanent)) return error;
  if (isSystemError(error.cause)) return toUnreadableError(error.cause);
  return readCompletely(path).then(
    () => error,
    (cause: unknown) => toUnreadableError(cause),
  );
}

export const toUnreadableError = (cause: unknown): DecodeError =>
  new DecodeError('UNREADABLE', 'The file could not be read; it may be intact.', { cause });

/**
 * True if FFmpeg's status is a system error (negated errno) that does not depend on the bytes. Excludes EIO, which FFmpeg also uses for truncated
 * files.
 */
export const isSystemErrorStatus = (status: number): boolean => systemErrors.has(-status);

const { ENOENT, EMFILE, ENFILE, EACCES, ESTALE, ENOSPC, ENOTCONN, ETIMEDOUT } = constants.errno;
const systemErrors: ReadonlySet<number> = new Set(
  Object.values({ ENOENT, EMFILE, ENFILE, EACCES, ESTALE, ENOSPC, ENOTCONN, ETIMEDOUT }),
);

/** True for an error of the operating system. Node names the failed system call, and libvips puts the words below before the system's message. */
const isSystemError = (error: unknown): boolean =>
  error instanceof Error &&
  ('syscall' in error ||
    /(unix|system) error: |Input file is missing|unable to open .* for reading/i.test(error.message));
