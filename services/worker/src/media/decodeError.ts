/**
 * Why a door to untrusted bytes gave nothing back. A permanent failure is a fact about the file: trying again
 * gives the same. The others may have been bad luck (a busy machine, a kill from outside) and may be retried.
 */
export const decodeFailures = {
  CORRUPT: { permanent: true },
  TOO_LARGE: { permanent: true },
  /** The file is what it says, and there is no picture in it: a RAW file without a preview. */
  NO_PIXELS: { permanent: true },
  /** A film that consists of sound alone. */
  NO_VIDEO: { permanent: true },
  /** No decoder for this format is here: the item is `BLOCKED`, not broken. */
  UNSUPPORTED: { permanent: true },
  /** Trouble with reading, and not with what was read. */
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

  constructor(code: DecodeFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'DecodeError';
    this.code = code;
    this.permanent = decodeFailures[code].permanent;
  }
}
