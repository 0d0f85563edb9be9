/**
 * Why reading an untrusted file has failed. A permanent failure is a fact about the file: a retry gives the same. The others may have been
 * bad luck (a busy machine, a kill from outside) and may be retried.
 */
export const decodeFailures = {
  CORRUPT: { permanent: true },
  TOO_LARGE: { permanent: true },
  /** The file is of its format, but has no picture in it: a RAW file without a preview. */
  NO_PIXELS: { permanent: true },
  /** A video file with sound only. */
  NO_VIDEO: { permanent: true },
  /** This installation has no decoder for the format: the run is `BLOCKED`, the file not broken. */
  UNSUPPORTED: { permanent: true },
  /** The file could not be read; nothing is known about its contents. */
  UNREADABLE: { permanent: false },
  TIMED_OUT: { permanent: false },
  OUT_OF_MEMORY: { permanent: false },
  CRASHED: { permanent: false },
} as const satisfies Record<string, { permanent: boolean }>;

/** A key of `decodeFailures`. */
export type DecodeFailure = keyof typeof decodeFailures;

/** A file could not be read; `message` is a sentence for its owner, `cause` the decoder's own words. */
export class DecodeError extends Error {
  readonly code: DecodeFailure;
  readonly permanent: boolean;
  /** The file took longer than its limit; it is tried once more under a longer one. */
  readonly isTimeout: boolean;

  constructor(code: DecodeFailure, message: string, options: { cause?: unknown; isTimeout?: boolean } = {}) {
    super(message, options);
    this.name = 'DecodeError';
    this.code = code;
    this.isTimeout = options.isTimeout ?? code === 'TIMED_OUT';
    this.permanent = decodeFailures[code].permanent && !this.isTimeout;
  }
}

/** Refuses a picture by its size. @throws DecodeError TOO_LARGE; CORRUPT for one without pixels */
export function checkPixels(
  { width, height }: { readonly width: number; readonly height: number },
  maxPixels: number,
): void {
  const pixels = width * height;
  if (!(pixels > 0)) throw new DecodeError('CORRUPT', 'The file is damaged: its picture has no size.');
  if (pixels <= maxPixels) return;
  const [size, limit] = [pixels, maxPixels].map((count) => `${Math.ceil(count / 1e6)} million`);
  throw new DecodeError('TOO_LARGE', `The picture has ${size} pixels; this library shows up to ${limit}.`);
}

/** Rethrows an error of a decoder as a `DecodeError`. @throws DecodeError CORRUPT, or OUT_OF_MEMORY if the decoder reports it */
export function throwCorrupt(cause: unknown): never {
  if (cause instanceof DecodeError) throw cause;
  if (cause instanceof Error && /out of memory|cannot allocate/i.test(cause.message)) {
    throw new DecodeError('OUT_OF_MEMORY', 'There was not enough memory to decode the picture.', { cause });
  }
  throw new DecodeError('CORRUPT', 'The file is damaged: no picture could be read from it.', { cause });
}
