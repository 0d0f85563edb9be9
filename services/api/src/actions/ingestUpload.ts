import { randomUUIDv7 } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DateTime } from 'luxon';
import type { Database } from '@hearth/core/db/database.ts';
import { insertMediaItem, type Inserted } from '@hearth/core/db/mediaItems.ts';
import { getUser } from '@hearth/core/db/users.ts';
import { AppError, NotFoundError } from '@hearth/core/errors.ts';
import { metrics } from '@hearth/core/metrics.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { poolNames } from '@hearth/core/pipeline.ts';
import type { Deps } from '../deps.ts';
import { cleanFilename } from './cleanFilename.ts';
import { inspectUpload } from './inspectUpload.ts';

/** A file as it comes in. */
export interface Upload {
  readonly userId: string;
  readonly requestId: string;
  readonly filename: string;
  readonly body: Readable;
  /** Aborted when the client vanishes. */
  readonly signal: AbortSignal;
  /** Resolves when the whole request has been read and is as it should be. */
  readonly received: Promise<void>;
  readonly description: string | undefined;
  /** When the uploader says it was taken: used where the file itself does not say. */
  readonly creationTime: Date | undefined;
}

/**
 * Takes a file in: the object first, then the item and its runs in one transaction, then the queue.
 *
 * [Note: Object before row] A crash after the object leaves bytes without a row, which the orphan sweep removes a day later; the other
 * order could leave a row whose bytes never came. For the same reason an object stays when the transaction fails: it may have been
 * committed without our hearing of it.
 * @throws AppError NOT_MEDIA, and UNAUTHORIZED where the account has been removed meanwhile
 */
export const ingestUpload = async (deps: Deps, upload: Upload): Promise<Inserted> => {
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
  const takenAt = upload.creationTime ?? new Date();
  const item = {
    id,
    user_id: upload.userId,
    ...columnsOf(result()),
    size_bytes: sizeBytes,
    filename: cleanFilename(upload.filename),
    description: upload.description ?? null,
    client_taken_at: upload.creationTime ?? null,
    taken_at: takenAt,
    local_time: localTime(takenAt, deps.config.timeZone),
  };
  const inserted = await insertMediaItem(deps.db, item).catch(async (error: unknown) => {
    if (await hasUser(deps.db, upload.userId)) throw error;
    await deps.objects.remove([key]);
    throw new AppError('UNAUTHORIZED', undefined, { cause: error });
  });
  metrics.uploadedBytes.inc(sizeBytes);
  if (inserted.isNew) enqueue(deps, inserted.id, upload.requestId);
  else await deps.objects.remove([key]);
  return inserted;
};

/** An account may be deleted while an upload to it is under way. */
const hasUser = async (db: Database, id: string): Promise<boolean> =>
  getUser(db, id).then(
    () => true,
    (error: unknown) => !(error instanceof NotFoundError),
  );

const columnsOf = ({ mimeType, type, checksum }: ReturnType<ReturnType<typeof inspectUpload>['result']>) => ({
  mime_type: mimeType,
  type,
  checksum,
});

const localTime = (time: Date, zone: string): string =>
  DateTime.fromJSDate(time, { zone }).toISO({ includeOffset: false }) ?? time.toISOString().replace('Z', '');

/** Not waited for: what the queue does not take, the sweeper puts there later. */
const enqueue = (deps: Deps, mediaItemId: string, requestId: string): void => {
  for (const pool of poolNames) {
    deps.queues
      .enqueue(pool, [{ mediaItemId, requestId }], 'upload')
      .catch((error: unknown) => deps.log.warn({ err: error, mediaItemId }, 'not enqueued; the sweeper will do it'));
  }
};
