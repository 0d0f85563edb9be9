import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  findOriginalCheck,
  recordOriginalCheck,
  retryRunsOfOriginal,
  type RecordedCheck,
} from '@hearth/core/originals/originalChecks.ts';
import { checkOriginalBytes, checkOriginalSize, type RecordedOriginal } from '@hearth/core/objects/checkOriginal.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { StoreError } from '@hearth/core/objects/objectErrors.ts';
import type { Deps } from '../deps/deps.ts';

/**
 * Ensures that the store holds the right bytes of an item that was uploaded again as the object `from`. Checks the
 * stored original, replaces it if missing or damaged, and makes the item's runs due again. Returns true if a run is
 * due.
 *
 * Reads the stored original completely, unless a check has done so since its last write. Afterwards the caller may
 * delete `from`, because the item's own copy has been verified. After a kill at any point `from` still exists, and
 * another call completes the repair:
 *
 * - If the fault is recorded but the runs still have old results, the next successful check makes them due.
 * - The store replaces the object atomically, and only if `from` had the right bytes up to its end.
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
  if (isVerified) return retryRunsOfOriginal(db, id, false);
  const check = bySize.state === 'OK' ? await checkOriginalBytes(objects, original) : bySize;
  if (check.state !== 'OK') {
    await recordOriginalCheck(db, id, check);
    await replaceOriginal(objects, from, original);
    log.warn({ mediaItemId: id, state: check.state }, 'replaced a damaged original with a new upload');
  }
  const after = check.state === 'OK' ? check : await checkOriginalBytes(objects, original);
  if (after.state !== 'OK')
    throw new StoreError(`the store returned different bytes for ${originalKey(original.user_id, id)}`);
  const isRepaired = await recordOriginalCheck(db, id, after);
  return (await retryRunsOfOriginal(db, id, false)) || isRepaired;
};

/**
 * Copies `from` to the original's key. The store completes the write only after the last byte, so wrong bytes never
 * replace anything.
 */
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

/** Returns true if the check found the object intact and the object has not been replaced since. */
const isVerifiedSince = (check: RecordedCheck | undefined, modifiedAt: Date | undefined): boolean =>
  check?.state === 'OK' && check.modifiedAt !== undefined && check.modifiedAt.getTime() === modifiedAt?.getTime();
