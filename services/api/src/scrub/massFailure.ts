import { sampleItems } from '@hearth/core/db/originals/scrubState.ts';
import type { Database } from '@hearth/core/db/connection/database.ts';
import { findObject } from '@hearth/core/objects/checkOriginal.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';

/** Most originals are missing at once: the store is likely the wrong one, or not fully mounted. Nothing of the batch was marked. */
export class MassFailureError extends Error {
  constructor(missing: number, of: number) {
    super(
      `${missing} of ${of} originals are missing at once: is the disk mounted, and is this the right folder or bucket? No item was marked.`,
    );
    this.name = 'MassFailureError';
  }
}

/** Fewer missing originals of one batch are never a mass failure. */
const minMissing = 20;

const sampleSize = 100;

/** Stored originals that a sample needs before it can show that the database is newer than the files. */
const minStored = 3;

/**
 * Throws if most originals of a batch of `of` are missing, and most of a random sample of the whole installation, too. The exception is a
 * database that is newer than the files, as after files were restored from an older backup: the store holds most of the sample up to its
 * newest stored original, and lacks what was uploaded later.
 * @throws MassFailureError
 */
export const refuseMassFailure = async (
  { db, objects }: { readonly db: Database; readonly objects: ObjectStore },
  missing: number,
  of: number,
): Promise<void> => {
  if (missing < minMissing || missing * 2 <= of) return;
  const stored: number[] = [];
  const lacking: number[] = [];
  for (const { id, userId, createdAt } of await sampleItems(db, sampleSize)) {
    const list = (await findObject(objects, originalKey(userId, id))) === undefined ? lacking : stored;
    list.push(createdAt.getTime());
  }
  if (lacking.length * 2 <= lacking.length + stored.length) return;
  const newestStored = Math.max(...stored);
  const olderLacking = lacking.filter((createdAt) => createdAt <= newestStored).length;
  const isNewer = stored.length >= minStored && stored.length > olderLacking;
  if (!isNewer) throw new MassFailureError(missing, of);
};
