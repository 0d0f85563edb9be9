import { DateTime, FixedOffsetZone } from 'luxon';
import { firstPools } from '@hearth/core/config/pipeline.ts';
import { isDatabaseUnavailable, transaction, type Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { NewMediaItem } from '@hearth/core/db/schema.ts';
import { lockLivePhotos } from '@hearth/core/items/livePhotos.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { firstRuns, type PipelineOptions } from '@hearth/core/runs/switchedOffRuns.ts';
import { refuseOverQuota } from '../../accounts/quotas.ts';
import { getUser, hasUser } from '../../accounts/users.ts';
import type { Deps } from '../../deps/deps.ts';
import { cleanFilename } from '../../links/filenames.ts';
import { setTrashed } from '../trash/queries.ts';
import { refuseAbandoned } from './abandonedItems.ts';
import type { ClientTime } from './clientTime.ts';
import { extensionOf, type MediaKind } from './mediaKind.ts';
import { repairOriginal } from './repairOriginal.ts';

/** Dependencies of `keepOriginal`. */
export interface IngestDeps extends Pick<Deps, 'db' | 'objects' | 'queues' | 'log'> {
  readonly config: Pick<Deps['config'], 'timeZone' | 'featuresOff'>;
}

/** A file as its uploader describes it. */
export interface FileDescription {
  readonly filename: string;
  readonly description: string | undefined;
  /** The uploader's time of capture; used if the file has none. */
  readonly creationTime: ClientTime | undefined;
}

/** A file whose bytes are in the store, under the key of the original of item `id`. */
export interface StoredOriginal extends FileDescription, MediaKind {
  readonly id: string;
  readonly userId: string;
  /** The id of the request that brought the last byte, if a request did. */
  readonly requestId: string | undefined;
  /** SHA-256, 32 bytes. */
  readonly checksum: Buffer;
  readonly sizeBytes: number;
}

/** The result of an upload: a new item, or the one that has the same bytes already. */
export interface Inserted {
  readonly id: string;
  readonly isNew: boolean;
}

/**
 * The step that all uploads share: inserts the item of a stored file and its runs, then enqueues them. `insert` may write more rows in the
 * same transaction. If the user already has an item with these bytes, returns that item (the twin). The file is then removed, once the
 * stored original of the twin was found whole or replaced.
 *
 * [Note: Object before row] A crash after the object leaves bytes without a row, which the orphan sweep removes a month later; the other
 * order could leave a row whose bytes never came. For the same reason an object stays when the transaction fails: the database may have
 * committed although its answer did not arrive.
 * @throws AppError QUOTA_EXCEEDED, and UNAUTHORIZED where the account was removed meanwhile
 */
export const keepOriginal = async (
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
    filename: cleanFilename(original.filename || `upload.${extensionOf(original.mimeType)}`),
    description: original.description ?? null,
    client_taken_at: creationTime?.takenAt ?? null,
    client_utc_offset_minutes: utcOffsetMinutes ?? null,
    taken_at: takenAt,
    local_time: localTime(takenAt, utcOffsetMinutes ?? deps.config.timeZone),
    utc_offset_minutes: utcOffsetMinutes ?? null,
  };
  const { featuresOff } = deps.config;
  const inserted = await insert(item, { featuresOff }).catch(async (error: unknown) => {
    // An account may be removed during an upload to it. An unavailable database is not queried again: the response is due within two seconds.
    if (isDatabaseUnavailable(error) || (await hasUser(deps.db, userId))) throw error;
    await deps.objects.remove([key]);
    throw new AppError('UNAUTHORIZED', undefined, { cause: error });
  });
  metrics.uploadedBytes.inc(sizeBytes);
  if (inserted.isNew) enqueue(deps, inserted.id, original);
  else if (inserted.id !== id) {
    const twin = { id: inserted.id, user_id: userId, size_bytes: sizeBytes, checksum: original.checksum };
    const isDue = await repairOriginal(deps, key, twin);
    await deps.objects.remove([key]);
    if (isDue) enqueue(deps, inserted.id, original);
  }
  return inserted;
};

/**
 * Inserts an item and one run per component, in one transaction. If the user has an item with the same checksum, inserts nothing and returns
 * that item; one in the trash is restored.
 * @throws NotFoundError without the account, AppError QUOTA_EXCEEDED, and UNAVAILABLE, see [Note: Abandoned items]
 */
export const insertMediaItem = async (
  db: Database,
  item: NewMediaItem,
  pipeline: PipelineOptions = {},
  { uploadId }: { readonly uploadId?: string } = {},
): Promise<Inserted> =>
  transaction(db, async (trx) => {
    const { features, quota_bytes: quotaBytes } = await getUser(trx, item.user_id);
    // The item with the same bytes may be removed between the two statements: then the new one can be inserted after all.
    for (;;) {
      const inserted = await prepared(trx, 'insert_item')
        .insertInto('media_items')
        .values(item)
        .onConflict((on) => on.columns(['user_id', 'checksum']).where('removing_at', 'is', null).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (inserted !== undefined) {
        await refuseOverQuota(trx, item.user_id, quotaBytes, { uploadId });
        await refuseAbandoned(trx, inserted.id);
        await prepared(trx, 'insert_runs')
          .insertInto('component_runs')
          .values(firstRuns(item, features, pipeline))
          .execute();
        return { id: inserted.id, isNew: true };
      }
      // Before the twin's row, since it may be restored, and with it another half of a Live Photo.
      await lockLivePhotos(trx, item.user_id, { ids: [] });
      const twin = await trx
        .selectFrom('media_items')
        .select(['id', 'deleted_at'])
        .where('user_id', '=', item.user_id)
        .where('checksum', '=', item.checksum)
        .where('removing_at', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      if (twin !== undefined) {
        if (twin.deleted_at !== null) await setTrashed(trx, item.user_id, [twin.id], false);
        return { id: twin.id, isNew: false };
      }
    }
  });

/** True if the quota of the account refused the item. Then it was not inserted, and its object is useless. */
export const isOverQuota = (error: unknown): boolean => error instanceof AppError && error.code === 'QUOTA_EXCEEDED';

/** The local time in a zone, given by its name or by its minutes east of UTC. */
const localTime = (time: Date, zone: string | number): string =>
  DateTime.fromJSDate(time, { zone: typeof zone === 'number' ? FixedOffsetZone.instance(zone) : zone }).toISO({
    includeOffset: false,
  }) ?? time.toISOString().replace('Z', '');

/** Not awaited: the sweeper enqueues later what the queue does not take now. */
const enqueue = (
  deps: Pick<Deps, 'queues' | 'log'>,
  mediaItemId: string,
  { userId: ownerId, requestId, type }: StoredOriginal,
): void => {
  const job = { mediaItemId, ownerId, ...(requestId !== undefined && { requestId }) };
  for (const pool of firstPools(type)) {
    deps.queues
      .enqueue(pool, [job], 'upload')
      .catch((error: unknown) => deps.log.warn({ err: error, mediaItemId }, 'not enqueued; the sweeper will do it'));
  }
};
