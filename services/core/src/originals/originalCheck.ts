import type { OriginalState } from '@hearth/contract/vocabulary.ts';

/** The result of comparing a stored original with its record. */
export interface OriginalCheck {
  readonly state: OriginalState;
  /** The last write of the stored object, by the store's clock; undefined if it is MISSING. */
  readonly modifiedAt: Date | undefined;
}
