import { DateTime, FixedOffsetZone } from 'luxon';
import { isDatabaseUnavailable } from '@hearth/core/db/database.ts';
import { insertMediaItem, type Inserted } from './insertMediaItem.ts';
import type { NewMediaItem } from '@hearth/core/db/schema.ts';
import type { PipelineOptions } from '@hearth/core/runs/switchedOffRuns.ts';
import { hasUser } from '../../accounts/users.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { firstPools } from '@hearth/core/config/pipeline.ts';
import type { Deps } from '../../deps/deps.ts';
import { extensionOf } from './mediaKind.ts';
import { cleanFilename } from '../../filenames/cleanFilename.ts';
import type { ClientTime } from './clientTime.ts';
import type { MediaKind } from './mediaKind.ts';
import { repairOriginal } from './repairOriginal.ts';

/** What `keepOriginal` needs. */
export interface IngestDeps extends Pick<Deps, 'db' | 'objects' | 'queues' | 'log'> {
  readonly config: Pick<Deps['config'], 'timeZone' | 'featuresOff'>;
}

/** What an uploader says about a file. */
export interface FileDescription {
  readonly filename: string;
  readonly description: string | undefined;
  /** When the file was taken, as its uploader says: used where the file itself does not say. */
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

/** Inserts an item, together with all rows that belong into the same transaction. */
export type InsertItem = (item: NewMediaItem, pipeline: PipelineOptions) => Promise<Inserted>;

/**
 * The step that all uploads share: inserts the item of a stored file and its runs, then enqueues them. If the user already has an item with
 * these bytes, returns that item (the twin). The file is then removed, once the stored original of the twin was found whole or replaced.
 *
 * [Note: Object before row] A crash after the object leaves bytes without a row, which the orphan sweep removes a month later; the other
 * order could leave a row whose bytes never came. For the same reason an object stays when the transaction fails: the database may have
 * committed although its answer did not arrive.
 * @throws AppError QUOTA_EXCEEDED, and UNAUTHORIZED where the account was removed meanwhile
 */
export const keepOriginal = async (
  deps: IngestDeps,
  original: StoredOriginal,
  insert: InsertItem = (item, pipeline) => insertMediaItem(deps.db, item, pipeline),
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
    // An account may be removed during an upload to it. A database that is away is not asked again, since the answer is promised within two
    // seconds.
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

/** Whether the item was refused because of its account's quota. Then it surely was not inserted, and its object is useless. */
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
