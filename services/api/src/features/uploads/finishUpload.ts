import { createHash, randomUUIDv7 } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { NewMediaItem } from '@hearth/core/db/schema.ts';
import type { PipelineOptions } from '@hearth/core/runs/switchedOffRuns.ts';
import { isOverQuota, ingestStoredFile, type Inserted, type StoredOriginal } from '../../ingest/insertMediaItem.ts';
import { finishUpload, getUpload, listUploadParts } from './queries.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { isNotFound, UnknownWriteError, WrongPartsError } from '@hearth/core/objects/objectErrors.ts';
import type { Deps } from '../../deps/deps.ts';
import type { MediaKind } from '../../ingest/mediaKind.ts';
import { repairOriginal } from '../../ingest/repairOriginal.ts';
import { lockedError, type ClaimedUpload } from './acquireUpload.ts';
import { readUploadMetadata } from './tusHeaders.ts';
import { abandonUpload } from './uploadRemoval.ts';
import { findByChecksums } from '../media-items/queries.ts';

/**
 * Finishes an upload of one part at most, whose bytes have all arrived, by storing it in one step. Uses a new key each
 * time: a delayed request that has lost its claim must not overwrite another one's object.
 */
export const finishSmallUpload = async (
  deps: Deps,
  claimed: ClaimedUpload,
  bytes: Buffer,
  kind: MediaKind,
): Promise<void> => {
  const { upload } = claimed;
  const id = randomUUIDv7();
  await deps.objects.put(originalKey(upload.user_id, id), Readable.from([bytes], { objectMode: false }));
  const checksum = createHash('sha256').update(bytes).digest();
  await insertItem(deps, claimed, { id, checksum, ...kind });
  // If this fails, the orphan sweep deletes the tail.
  if (upload.tail_key !== null) await deps.objects.remove([upload.tail_key]).catch(() => undefined);
};

/**
 * Finishes an upload whose parts are all stored. After a crash, the client's next request or housekeeping calls it
 * again.
 * @throws AppError UPLOAD_GONE if parts are lost, after deleting the upload
 */
export const finishReceivedUpload = async (deps: Deps, claimed: ClaimedUpload): Promise<void> => {
  const { user_id, id, length_bytes, mime_type, type, checksum } = claimed.upload;
  if (mime_type === null || type === null) throw new Error('upload completed before its type was detected');
  const key = originalKey(user_id, id);
  if ((await createObject(deps, claimed, key)) !== length_bytes) {
    // Another request may have finished the upload meanwhile, possibly as a duplicate.
    if ((await getUpload(deps.db, user_id, id)).media_item_id !== null) return;
    deps.log.error({ uploadId: id, userId: user_id }, 'parts of an upload are missing or damaged');
    await abandonUpload(deps, claimed);
    throw new AppError('UPLOAD_GONE', 'received data is lost; start a new upload');
  }
  const kind = { mimeType: mime_type, type };
  await insertItem(deps, claimed, { id, checksum: checksum ?? (await hashObject(deps, key)), ...kind });
};

/** Assembles the object from its parts and returns its size. Returns undefined if parts are missing. */
const createObject = async (
  { objects, db }: Deps,
  { upload }: ClaimedUpload,
  key: string,
): Promise<number | undefined> => {
  try {
    return await objects.finishParts(key, upload.write_id ?? '', await listUploadParts(db, upload.id));
  } catch (error) {
    if (!(error instanceof WrongPartsError || error instanceof UnknownWriteError)) throw error;
  }
  // The parts may be gone because an earlier call has assembled the object and crashed or lost its response.
  try {
    return (await objects.stat(key)).sizeBytes;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

/** Hashes the finished object. Needed only if the hash state could not be read. */
const hashObject = async ({ objects }: Deps, key: string): Promise<Buffer> => {
  const hash = createHash('sha256');
  await pipeline(await objects.open(key), hash);
  return hash.digest();
};

const insertItem = async (
  deps: Deps,
  { claim, upload, requestId }: ClaimedUpload,
  stored: Pick<StoredOriginal, 'id' | 'checksum' | 'mimeType' | 'type'>,
): Promise<void> => {
  const insert = async (item: NewMediaItem, pipelineOptions: PipelineOptions): Promise<Inserted> => {
    // Keeps the object under the upload's own key for the request that finishes it.
    const discard = async (): Promise<void> => {
      if (item.id !== upload.id) await deps.objects.remove([originalKey(upload.user_id, item.id)]);
    };
    // Checks the duplicate's original first: a finished upload is never resumed, and its bytes may be the only good
    // copy.
    const sum = stored.checksum.toString('hex');
    const duplicate = (await findByChecksums(deps.db, upload.user_id, [sum])).get(sum);
    if (duplicate !== undefined && duplicate.id !== item.id)
      await repairOriginal(deps, originalKey(upload.user_id, item.id), duplicate);
    const inserted = await finishUpload(deps.db, claim, item, pipelineOptions).catch(async (error: unknown) => {
      if (isOverQuota(error)) await discard();
      throw error;
    });
    if (inserted !== undefined) return inserted;
    await discard();
    throw lockedError();
  };
  const original = {
    ...stored,
    ...readUploadMetadata(upload.metadata),
    userId: upload.user_id,
    requestId,
    sizeBytes: upload.length_bytes,
  };
  await ingestStoredFile(deps, original, insert);
};
