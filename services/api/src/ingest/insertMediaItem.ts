import { DateTime, FixedOffsetZone } from 'luxon';
import { listInitialPools } from '@hearth/core/config/pipeline.ts';
import { isDatabaseUnavailable, transaction, type Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { NewMediaItem } from '@hearth/core/db/schema.ts';
import { lockLivePhotos } from '@hearth/core/items/livePhotos.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { createInitialRuns, type PipelineOptions } from '@hearth/core/runs/switchedOffRuns.ts';
import { rejectOverQuota } from '../accounts/quotas.ts';
import { getUser, hasUser } from '../accounts/users.ts';
import type { Deps } from '../deps/deps.ts';
import { cleanFilename } from '../links/filenames.ts';
import { rejectAbandoned } from './abandonedItems.ts';
import type { ClientTime } from './clientTime.ts';
import { getExtension, type MediaKind } from './mediaKind.ts';
import { repairOriginal } from './repairOriginal.ts';
import { setTrashed } from '../lists/trashed.ts';

export interface IngestDeps extends Pick<Deps, 'db' | 'objects' | 'queues' | 'log'> {
  readonly config: Pick<Deps['config'], 'timeZone' | 'featuresOff'>;
}

/** Description of a file by its uploader. */
export interface FileDescription {
  readonly filename: string;
  readonly description: string | undefined;
  /** Used if the file itself has no capture time. */
  readonly creationTime: ClientTime | undefined;
}

/** A file whose bytes are stored as the original of item `id`. */
export interface StoredOriginal extends FileDescription, MediaKind {
  readonly id: string;
  readonly userId: string;
  /** Id of the request with the last byte, if any. */
  readonly requestId: string | undefined;
  /** SHA-256, 32 bytes. */
  readonly checksum: Buffer;
  readonly sizeBytes: number;
}

/** Result of an upload: a new item, or the existing one with the same bytes. */
export interface Inserted {
  readonly id: string;
  readonly isNew: boolean;
}

/**
 * The common step of all uploads: inserts the item of a stored file with its runs, then enqueues them. `insert` may
 * write more rows in the same transaction. If the user already has an item with these bytes, returns that duplicate,
 * and deletes the file after checking or replacing the duplicate's original.
 *
 * [Note: Object before row] Uploads store the object first and insert the row later, so that no row ever lacks its
 * bytes.
 *
 * After a crash in between, the orphan sweep deletes the object a month later. For the same reason the object stays if
 * the transaction fails: the database may have committed although its response was lost.
 * @throws AppError QUOTA_EXCEEDED, or UNAUTHORIZED if the account was removed meanwhile
 */
export const ingestStoredFile = async (
  deps: IngestDeps,
  original: StoredOriginal,
  insert = (item: NewMediaItem, pipeline: PipelineOptions): Promise<Inserted> =>
    insertMediaItem(deps.db, item, pipeline),
): Promise<Inserted> => {
  const { id, userId, sizeBytes, creationTime } = original;
  const key = originalKey(userId, id);
  const { takenAt, utcOffsetMinutes } = creationTime ?? { takenAt: new Date(), utcOffsetMinutes: undefined };
  const item = {
    id,
    user_id: userId,
    mime_type: original.mimeType,
    type: original.type,
    checksum: original.checksum,
    size_bytes: sizeBytes,
    filename: cleanFilename(original.filename || `upload.${getExtension(original.mimeType)}`),
    description: original.description ?? null,
    client_taken_at: creationTime?.takenAt ?? null,
    client_utc_offset_minutes: utcOffsetMinutes ?? null,
    taken_at: takenAt,
    local_time: toLocalTime(takenAt, utcOffsetMinutes ?? deps.config.timeZone),
    utc_offset_minutes: utcOffsetMinutes ?? null,
  };
  const { featuresOff } = deps.config;
  const inserted = await insert(item, { featuresOff }).catch(async (error: unknown) => {
    // The account may have been removed during the upload. Does not query an unavailable database again, because the
    // response is due within two seconds.
    if (isDatabaseUnavailable(error) || (await hasUser(deps.db, userId))) throw error;
    await deps.objects.remove([key]);
    throw new AppError('UNAUTHORIZED', undefined, { cause: error });
  });
  metrics.uploadedBytes.inc(sizeBytes);
  if (inserted.isNew) enqueue(deps, inserted.id, original);
  else if (inserted.id !== id) {
    const duplicate = { id: inserted.id, user_id: userId, size_bytes: sizeBytes, checksum: original.checksum };
    const isDue = await repairOriginal(deps, key, duplicate);
    await deps.objects.remove([key]);
    if (isDue) enqueue(deps, inserted.id, original);
  }
  return inserted;
};

/**
 * Inserts an item and one run per component in one transaction. If the user has an item with the same checksum, inserts
 * nothing and returns that item, restored from the trash if needed.
 * @throws NotFoundError if the account does not exist
 * @throws AppError QUOTA_EXCEEDED, or UNAVAILABLE, see [Note: Abandoned items]
 */
export const insertMediaItem = async (
  db: Database,
  item: NewMediaItem,
  pipeline: PipelineOptions = {},
  { uploadId }: { readonly uploadId?: string } = {},
): Promise<Inserted> =>
  transaction(db, async (trx) => {
    const { features, quota_bytes: quotaBytes } = await getUser(trx, item.user_id);
    // The duplicate may be removed between the two statements. Then the insert is tried again.
    for (;;) {
      const inserted = await prepared(trx, 'insert_item')
        .insertInto('media_items')
        .values(item)
        .onConflict((on) => on.columns(['user_id', 'checksum']).where('removing_at', 'is', null).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (inserted !== undefined) {
        await rejectOverQuota(trx, item.user_id, quotaBytes, { uploadId });
        await rejectAbandoned(trx, inserted.id);
        await prepared(trx, 'insert_runs')
          .insertInto('component_runs')
          .values(createInitialRuns(item, features, pipeline))
          .execute();
        return { id: inserted.id, isNew: true };
      }
      // This lock comes before the one of the duplicate's row, because restoring the duplicate may also restore the
      // other half of its Live Photo.
      await lockLivePhotos(trx, item.user_id, { ids: [] });
      const duplicate = await trx
        .selectFrom('media_items')
        .select(['id', 'deleted_at'])
        .where('user_id', '=', item.user_id)
        .where('checksum', '=', item.checksum)
        .where('removing_at', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      if (duplicate !== undefined) {
        if (duplicate.deleted_at !== null) await setTrashed(trx, item.user_id, [duplicate.id], false);
        return { id: duplicate.id, isNew: false };
      }
    }
  });

/** Returns true if the quota rejected the item. It was not inserted, so its object can be deleted. */
export const isOverQuota = (error: unknown): boolean => error instanceof AppError && error.code === 'QUOTA_EXCEEDED';

/** Returns the local time in a zone, given by name or by minutes east of UTC. */
const toLocalTime = (time: Date, zone: string | number): string =>
  DateTime.fromJSDate(time, { zone: typeof zone === 'number' ? FixedOffsetZone.instance(zone) : zone }).toISO({
    includeOffset: false,
  }) ?? time.toISOString().replace('Z', '');

/** Not awaited: the sweeper enqueues the run later if the queue fails. */
const enqueue = (
  deps: Pick<Deps, 'queues' | 'log'>,
  mediaItemId: string,
  { userId: ownerId, requestId, type }: StoredOriginal,
): void => {
  const job = { mediaItemId, ownerId, ...(requestId !== undefined && { requestId }) };
  for (const pool of listInitialPools(type)) {
    deps.queues
      .enqueue(pool, [job], 'upload')
      .catch((error: unknown) =>
        deps.log.warn({ err: error, mediaItemId }, 'not enqueued; the sweeper will enqueue it'),
      );
  }
};
