/** One part of a write in parts, as `putPart` has stored it. */
export interface StoredPart {
  /** From 1, without a gap. */
  readonly number: number;
  /** What `putPart` answered. */
  readonly tag: string;
}

/** Bytes that every part but the last has at least, and how many parts a write may have: what S3 asks for. */
export const minPartBytes = 5 * 2 ** 20;
export const maxParts = 10_000;
