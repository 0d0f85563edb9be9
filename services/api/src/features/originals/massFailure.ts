import { sampleItems } from './scrubState.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { findObject } from '@hearth/core/objects/checkOriginal.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import { countUploadGap } from './uploadGap.ts';

/**
 * Most originals are missing at once, so the store is probably the wrong one or not fully mounted. No original of the
 * batch was marked.
 */
export class MassFailureError extends Error {
  constructor(missing: number, batchSize: number) {
    super(
      `${missing} of ${batchSize} originals are missing at once; no item was marked. Check that the disk is mounted and that this is the right folder or bucket.`,
    );
    this.name = 'MassFailureError';
  }
}

/** Fewer missing originals in a batch never count as a mass failure. */
const minMissing = 20;

const sampleSize = 100;

/**
 * Throws if most originals of a batch of `batchSize` are missing, and most of a random sample of the whole installation too.
 * Exception: the database is newer than the files, because older files were restored, see [Note: Upload gap].
 * @throws MassFailureError
 */
export const rejectMassFailure = async (
  { db, objects }: { readonly db: Database; readonly objects: ObjectStore },
  missing: number,
  batchSize: number,
): Promise<void> => {
  if (missing < minMissing || missing * 2 <= batchSize) return;
  const sample = await sampleItems(db, sampleSize);
  const missingInSample: number[] = [];
  for (const [position, { id, userId }] of sample.entries())
    if ((await findObject(objects, originalKey(userId, id))) === undefined) missingInSample.push(position);
  if (missingInSample.length * 2 > sample.length && countUploadGap(missingInSample) === 0)
    throw new MassFailureError(missing, batchSize);
};
