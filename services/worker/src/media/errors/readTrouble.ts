import { open } from 'node:fs/promises';
import { constants } from 'node:os';
import { DecodeError } from './decodeError.ts';

/** Bytes that are read at a time. */
const chunkBytes = 1024 * 1024;

/** Reads a whole file; `onBytes` gets all its bytes. @throws Error of the system, or where the file ends before its stated length */
export async function readWhole(path: string, onBytes: (bytes: Buffer) => void = () => {}): Promise<void> {
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
 * Answers the error of a decoder. It stays a verdict about the file only if this process can read the file from end to end. Otherwise it becomes
 * `UNREADABLE`, which a retry may mend.
 */
export async function confirmDamage(error: unknown, path: string): Promise<unknown> {
  if (isSystemError(error)) return unreadable(error);
  if (!(error instanceof DecodeError && error.permanent)) return error;
  if (isSystemError(error.cause)) return unreadable(error.cause);
  return readWhole(path).then(
    () => error,
    (cause: unknown) => unreadable(cause),
  );
}

/** The error of a file that cannot be read at present. */
export const unreadable = (cause: unknown): DecodeError =>
  new DecodeError('UNREADABLE', 'The file could not be read; it may be whole.', { cause });

/**
 * Whether FFmpeg's status is an error of the system (a negated errno) that has nothing to do with the bytes. EIO does not count: FFmpeg
 * uses it also for truncated files.
 */
export const isSystemTrouble = (status: number): boolean => troubles.has(-status);

const { ENOENT, EMFILE, ENFILE, EACCES, ESTALE, ENOSPC, ENOTCONN, ETIMEDOUT } = constants.errno;
const troubles: ReadonlySet<number> = new Set(
  Object.values({ ENOENT, EMFILE, ENFILE, EACCES, ESTALE, ENOSPC, ENOTCONN, ETIMEDOUT }),
);

/** Whether an error comes from the operating system: Node names the call that has failed, and libvips writes these words before the system's message. */
const isSystemError = (error: unknown): boolean =>
  error instanceof Error &&
  ('syscall' in error ||
    /(unix|system) error: |Input file is missing|unable to open .* for reading/i.test(error.message));
