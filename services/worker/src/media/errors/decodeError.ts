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
