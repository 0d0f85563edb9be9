/** A stored part of a write in parts. */
export interface StoredPart {
  /** The number of the part: from 1, without a gap. */
  readonly number: number;
  /** What `putPart` answered. */
  readonly tag: string;
}

/** Bytes of every part but the last at least, and parts of a write at most: S3's limits. */
export const minPartBytes = 5 * 2 ** 20;
export const maxParts = 10_000;
