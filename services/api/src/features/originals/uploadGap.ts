import type { Database } from '@hearth/core/db/database.ts';
import { listMissingPositions } from './scrubState.ts';

/*
 * [Note: Upload gap] Files that were restored from a backup older than the database lack what was uploaded between the backup and the restore. In
 * upload order, the missing originals form one gap: stored ones lie before it, and later uploads may lie after it. A store that lost its
 * originals in another way lacks them everywhere, or from the beginning on.
 */

/** Fewer missing originals form no gap: a few neighbours may be lost by chance. */
const minMissing = 5;

/** Stored originals that lie before a gap, in total and for each missing one there. */
const minStoredBefore = 3;
const minStoredPerMissing = 5;

/** Missing originals outside of the gap and stored ones within it, together, as a share of all missing ones. */
const maxExceptions = 0.1;

/**
 * Counts the missing originals in the upload gap. Returns 0 without a gap.
 * @param missing the positions of missing originals in upload order, ascending from 0
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

/** Returns the sequence with the largest excess of missing over stored originals, as its first and last index. */
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

/** Returns how many originals are missing because the database is newer than the files, by the last checks; 0 if it is not. */
export const countNewerThanFiles = async (db: Database): Promise<number> =>
  countUploadGap(await listMissingPositions(db));
