import { randomUUIDv7 } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Inserted } from './insertMediaItem.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { inspectUpload } from './inspectUpload.ts';
import { isOverQuota, keepOriginal, type FileDescription, type IngestDeps } from './keepOriginal.ts';

/** A file that is uploaded whole in one request. */
export interface Upload extends FileDescription {
  readonly userId: string;
  /** Undefined where the file does not come by a request. */
  readonly requestId: string | undefined;
  readonly body: Readable;
  /** Aborted when the client vanishes. */
  readonly signal: AbortSignal;
  /** Resolves when the whole request has been read and found valid. */
  readonly received: Promise<void>;
}

/**
 * Ingests a file: first the object, then the item and its runs in one transaction, then the queue. See [Note: Object before row].
 * @throws AppError NOT_MEDIA, QUOTA_EXCEEDED, and UNAUTHORIZED where the account was removed meanwhile
 */
export const ingestUpload = async (deps: IngestDeps, upload: Upload): Promise<Inserted> => {
  const id = randomUUIDv7();
  const key = originalKey(upload.userId, id);
  const { body, result } = inspectUpload(upload.body);
  const sizeBytes = await deps.objects.put(key, body, { signal: upload.signal });
  try {
    await upload.received;
  } catch (error) {
    await deps.objects.remove([key]);
    throw error;
  }
  const { filename, description, creationTime, userId, requestId } = upload;
  const original = { id, userId, requestId, filename, description, creationTime, sizeBytes, ...result() };
  return keepOriginal(deps, original).catch(async (error: unknown) => {
    if (isOverQuota(error)) await deps.objects.remove([key]);
    throw error;
  });
};
