import type { Database } from '@hearth/core/db/database.ts';
import { listMissingPositions } from './scrubState.ts';

/*
 * [Note: Upload gap] Files restored from a backup older than the database lack the uploads between backup and restore.
 *
 * In upload order, these missing originals form a single gap: stored originals precede it, and later uploads may
 * follow. If a store lost originals in another way, they are missing everywhere, or from the beginning.
 */

/** Fewer missing originals do not count as a gap: a few neighbours may be lost by chance. */
const minMissing = 5;

/** Minimum number of stored originals before a gap: in total, and per missing original before the gap. */
const minStoredBefore = 3;
const minStoredPerMissing = 5;

/** Maximum number of missing originals outside the gap plus stored ones within it, as a fraction of all missing ones. */
const maxExceptions = 0.1;

/**
 * Counts the missing originals in the upload gap. Returns 0 without a gap.
 * @param missing positions of missing originals in upload order, ascending from 0
 */
export const countUploadGap = (missing: readonly number[]): number => {
  const { first, last } = findDensest(missing);
  const count = last - first + 1;
  if (count < minMissing) return 0;
  const storedBefore = missing[first]! - first;
  if (storedBefore < Math.max(minStoredBefore, first * minStoredPerMissing)) return 0;
  const storedWithin = missing[last]! - missing[first]! + 1 - count;
  const missingOutside = missing.length - count;
  return storedWithin + missingOutside <= missing.length * maxExceptions ? count : 0;
};

/** Returns the run with the largest excess of missing over stored originals, by its first and last index. */
const findDensest = (missing: readonly number[]): { readonly first: number; readonly last: number } => {
  let densest = { first: 0, last: -1, excess: 0 };
  let first = 0;
  let excess = 0;
  for (const [index, position] of missing.entries()) {
    const storedBetween = index === 0 ? 0 : position - missing[index - 1]! - 1;
    if (storedBetween >= excess) {
      first = index;
      excess = 0;
    } else excess -= storedBetween;
    excess += 1;
    if (excess > densest.excess) densest = { first, last: index, excess };
  }
  return densest;
};

/**
 * Counts originals that are missing because the database is newer than the files, by the last checks. Returns 0
 * otherwise.
 */
export const countNewerThanFiles = async (db: Database): Promise<number> =>
  countUploadGap(await listMissingPositions(db));
