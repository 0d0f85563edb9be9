import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  findOriginalCheck,
  isVerifiedSince,
  recordOriginalCheck,
  redoLostRuns,
} from '@hearth/core/originals/originalChecks.ts';
import { checkOriginalBytes, checkOriginalSize, type RecordedOriginal } from '@hearth/core/objects/checkOriginal.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { StoreError } from '@hearth/core/objects/objectErrors.ts';
import type { Deps } from '../../deps/deps.ts';

/**
 * Makes sure that the store holds the right bytes of an item that was uploaded again; the object `from` has these bytes. Compares the
 * stored original, and replaces it if it is missing or damaged. Then the item's runs become due again. Returns whether a run is due.
 *
 * The stored original is read whole, at the speed of the store, unless an earlier check has read it since its last write. The caller may
 * remove `from` afterwards: the item's own copy has been read back and compared. A kill at any moment leaves `from`, and a further call
 * completes the repair:
 *
 * - after the fault was recorded, the runs still have their old results: the next check that finds the right bytes makes them due
 * - the store replaces the object in one step, and only if `from` gave the right bytes to its end
 *
 * @throws StoreError if the store fails, or `from` itself has wrong bytes
 */
export const repairOriginal = async (
  { db, objects, log }: Pick<Deps, 'db' | 'objects' | 'log'>,
  from: string,
  original: RecordedOriginal,
): Promise<boolean> => {
  const { id } = original;
  const bySize = await checkOriginalSize(objects, original);
  const isVerified = bySize.state === 'OK' && isVerifiedSince(await findOriginalCheck(db, id), bySize.modifiedAt);
  if (isVerified) return redoLostRuns(db, id, false);
  const check = bySize.state === 'OK' ? await checkOriginalBytes(objects, original) : bySize;
  if (check.state !== 'OK') {
    await recordOriginalCheck(db, id, check);
    await replaceOriginal(objects, from, original);
    log.warn({ mediaItemId: id, state: check.state }, 'stored original replaced by a new upload');
  }
  const after = check.state === 'OK' ? check : await checkOriginalBytes(objects, original);
  if (after.state !== 'OK') throw new StoreError(`the store changed the bytes of ${originalKey(original.user_id, id)}`);
  const isRepaired = await recordOriginalCheck(db, id, after);
  return (await redoLostRuns(db, id, false)) || isRepaired;
};

/** Copies `from` to the original's key. The store puts it there only after the last byte, so wrong bytes never replace anything. */
const replaceOriginal = async (
  objects: Deps['objects'],
  from: string,
  { id, user_id, checksum }: RecordedOriginal,
): Promise<void> => {
  const source = await objects.open(from);
  const verified = async function* (): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    for await (const chunk of source as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
    if (!hash.digest().equals(checksum)) throw new StoreError(`${from} does not have the uploaded bytes`);
  };
  await objects.put(originalKey(user_id, id), Readable.from(verified(), { objectMode: false }));
};
