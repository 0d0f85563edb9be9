/**
 * Reasons why an untrusted file could not be decoded. A permanent failure depends only on the file, so a retry is useless. Others may be caused by
 * the environment (a busy machine, a killed process) and are retried.
 */
export const decodeFailures = {
  CORRUPT: { permanent: true },
  TOO_LARGE: { permanent: true },
  /** A valid file without a picture, such as a RAW file without a preview. */
  NO_PIXELS: { permanent: true },
  /** A video file that has only sound. */
  NO_VIDEO: { permanent: true },
  /** No installed decoder supports the format. The run becomes `BLOCKED`; the file is not damaged. */
  UNSUPPORTED: { permanent: true },
  /** The file could not be read. Its contents are unknown. */
  UNREADABLE: { permanent: false },
  TIMED_OUT: { permanent: false },
  OUT_OF_MEMORY: { permanent: false },
  CRASHED: { permanent: false },
} as const satisfies Record<string, { permanent: boolean }>;

export type DecodeFailure = keyof typeof decodeFailures;

/** A file could not be decoded. `message` is a sentence for the user, `cause` the error of the decoder. */
export class DecodeError extends Error {
  readonly code: DecodeFailure;
  readonly permanent: boolean;
  /** The timeout was exceeded. The file is retried once with a longer timeout. */
  readonly isTimeout: boolean;

  constructor(code: DecodeFailure, message: string, options: { cause?: unknown; isTimeout?: boolean } = {}) {
    super(message, options);
    this.name = 'DecodeError';
    this.code = code;
    this.isTimeout = options.isTimeout ?? code === 'TIMED_OUT';
    this.permanent = decodeFailures[code].permanent && !this.isTimeout;
  }
}

/** Rejects a picture that is too large. @throws DecodeError TOO_LARGE, or CORRUPT for one without pixels */
export function checkPixels(
  { width, height }: { readonly width: number; readonly height: number },
  maxPixels: number,
): void {
  const pixels = width * height;
  if (!(pixels > 0)) throw new DecodeError('CORRUPT', 'The file is damaged: the picture has no size.');
  if (pixels <= maxPixels) return;
  const [size, limit] = [pixels, maxPixels].map((count) => `${Math.ceil(count / 1e6)} million`);
  throw new DecodeError('TOO_LARGE', `The picture has ${size} pixels; the limit is ${limit}.`);
}

/** Throws a `DecodeError`: `cause` itself if it is one, OUT_OF_MEMORY if the decoder reports a lack of memory, otherwise CORRUPT. */
export function throwCorrupt(cause: unknown): never {
  if (cause instanceof DecodeError) throw cause;
  if (cause instanceof Error && /out of memory|cannot allocate/i.test(cause.message)) {
    throw new DecodeError('OUT_OF_MEMORY', 'Not enough memory to decode the picture.', { cause });
  }
  throw new DecodeError('CORRUPT', 'The file is damaged: no picture could be read from it.', { cause });
}
