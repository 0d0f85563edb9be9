import { sql } from 'kysely';
import { maxUnfinishedUploads } from '@hearth/contract/limits.ts';
import { AppError, NotFoundError } from '@hearth/core/log/errors.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import { insertMediaItem, type Inserted } from '../../ingest/insertMediaItem.ts';
import { rejectOverQuota } from '../../accounts/quotas.ts';
import { selectUser } from '../../accounts/users.ts';
import type { NewMediaItem, UploadRow } from '@hearth/core/db/schema.ts';
import type { PipelineOptions } from '@hearth/core/runs/switchedOffRuns.ts';
import { isClaimedBy, type UploadClaim } from './uploadClaims.ts';

/** Days after which an inactive upload expires. */
const uploadDays = 7;

const expiry = sql<Date>`now() + ${uploadDays} * interval '1 day'`;

export interface UploadPart {
  /** Starts at 1. */
  readonly number: number;
  readonly tag: string;
}

/**
 * Starts an upload.
 * @throws AppError TOO_MANY_UPLOADS, QUOTA_EXCEEDED, or UNAUTHORIZED if the account is gone
 */
export const insertUpload = async (
  db: Database,
  upload: Pick<UploadRow, 'id' | 'user_id' | 'metadata' | 'length_bytes' | 'part_bytes'>,
): Promise<void> =>
  transaction(db, async (trx) => {
    // Serializes a user's new uploads, so that the limit cannot be exceeded.
    const user = await selectUser(prepared(trx, 'upload_owner'), upload.user_id)
      .select('quota_bytes')
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(() => new AppError('UNAUTHORIZED'));
    const { n } = await prepared(trx, 'count_uploads')
      .selectFrom('uploads')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('user_id', '=', upload.user_id)
      .where('media_item_id', 'is', null)
      .executeTakeFirstOrThrow();
    if (n >= maxUnfinishedUploads) throw new AppError('TOO_MANY_UPLOADS', undefined, { retryAfterSeconds: 3_600 });
    await rejectOverQuota(trx, upload.user_id, user.quota_bytes, { moreBytes: upload.length_bytes });
    await prepared(trx, 'insert_upload')
      .insertInto('uploads')
      .values({ ...upload, expires_at: expiry })
      .execute();
  });

/** @throws NotFoundError, also for an upload of another user */
export const getUpload = async (db: Database, userId: string, id: string): Promise<UploadRow> =>
  prepared(db, 'upload')
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow(() => new NotFoundError('upload'));

export const listUploadParts = async (db: Database, id: string): Promise<UploadPart[]> =>
  prepared(db, 'upload_parts')
    .selectFrom('upload_parts')
    .select(['number', 'tag'])
    .where('upload_id', '=', id)
    .orderBy('number')
    .execute();

export type UploadProgress = Pick<
  UploadRow,
  'received_bytes' | 'hash_state' | 'tail_key' | 'mime_type' | 'type' | 'checksum'
>;

/**
 * Records the bytes stored since the offset `from`, and their parts. Returns false and records nothing if another request
 * has the claim or the upload is gone.
 */
export const advanceUpload = async (
  db: Database,
  claim: UploadClaim,
  from: number,
  to: UploadProgress,
  parts: readonly UploadPart[],
): Promise<boolean> =>
  transaction(db, async (trx) => {
    const advanced = await prepared(trx, 'advance_upload')
      .updateTable('uploads')
      .set({ ...to, expires_at: expiry })
      .where(isClaimedBy(claim))
      .where('received_bytes', '=', from)
      .returning('id')
      .executeTakeFirst();
    if (advanced === undefined) return false;
    if (parts.length > 0) {
      await trx
        .insertInto('upload_parts')
        .values(parts.map(({ number, tag }) => ({ upload_id: claim.uploadId, number, tag })))
        .execute();
    }
    return true;
  });

/**
 * Records the store's multipart write of the upload. Returns false if another request has the claim or the upload is
 * gone.
 */
export const setUploadWrite = async (db: Database, claim: UploadClaim, writeId: string): Promise<boolean> => {
  const { numUpdatedRows } = await prepared(db, 'set_upload_write')
    .updateTable('uploads')
    .set({ write_id: writeId })
    .where(isClaimedBy(claim))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/**
 * Creates the media item of a fully stored upload, like `insertMediaItem`. Returns the existing result if it is
 * finished already, or undefined if another request has the claim or the upload is gone.
 */
export const finishUpload = async (
  db: Database,
  claim: UploadClaim,
  item: NewMediaItem,
  pipeline: PipelineOptions,
): Promise<Inserted | undefined> =>
  transaction(db, async (trx) => {
    const upload = await prepared(trx, 'claimed_upload')
      .selectFrom('uploads')
      .select(['media_item_id'])
      .where(isClaimedBy(claim))
      .forUpdate()
      .executeTakeFirst();
    if (upload === undefined) return undefined;
    if (upload.media_item_id !== null) return { id: upload.media_item_id, isNew: false };
    const inserted = await insertMediaItem(trx, item, pipeline, { uploadId: claim.uploadId });
    await prepared(trx, 'finish_upload')
      .updateTable('uploads')
      .set((eb) => ({
        media_item_id: inserted.id,
        received_bytes: eb.ref('length_bytes'),
        hash_state: null,
        tail_key: null,
        expires_at: expiry,
      }))
      .where('id', '=', claim.uploadId)
      .execute();
    await prepared(trx, 'remove_upload_parts')
      .deleteFrom('upload_parts')
      .where('upload_id', '=', claim.uploadId)
      .execute();
    return inserted;
  });
