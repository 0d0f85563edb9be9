import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import type { UploadRow } from '@hearth/core/db/schema.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import type { Deps } from '../../deps/deps.ts';
import type { ClaimedUpload } from './acquireUpload.ts';
import { isClaimedBy, type UploadClaim } from './uploadClaims.ts';
import { isFree } from '../../ingest/abandonedItems.ts';

type LeftoverUpload = Pick<UploadRow, 'id' | 'user_id' | 'write_id' | 'tail_key' | 'media_item_id'>;

const leftoverColumns = ['id', 'user_id', 'write_id', 'tail_key', 'media_item_id'] as const;

/** Deletes an upload with all its stored bytes, unless another request has claimed it. */
export const abandonUpload = async (deps: Pick<Deps, 'db' | 'objects'>, { claim }: ClaimedUpload): Promise<void> => {
  const leftovers = await deleteUpload(deps.db, claim);
  if (leftovers !== undefined) await removeLeftovers(deps, leftovers);
};

/** Deletes an upload after an error that is sent to the client. If this fails, the upload is kept until it expires. */
export const tryToAbandonUpload = async (
  deps: Pick<Deps, 'db' | 'objects' | 'log'>,
  claimed: ClaimedUpload,
): Promise<void> => {
  await abandonUpload(deps, claimed).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'could not delete an upload; it is kept until it expires'),
  );
};

/**
 * Deletes the stored bytes of an unfinished upload. Delete its row first, so that no request can resume it. The orphan
 * sweep deletes what fails here.
 */
export const removeLeftovers = async (
  { objects }: Pick<Deps, 'objects'>,
  { id, user_id, write_id, tail_key, media_item_id }: LeftoverUpload,
): Promise<void> => {
  if (media_item_id !== null) return;
  if (write_id !== null) await objects.abandonParts(originalKey(user_id, id), write_id);
  if (tail_key !== null) await objects.remove([tail_key]);
};

/** Deletes the row of an upload and returns the data for `removeLeftovers`. Returns undefined if another request has the claim. */
export const deleteUpload = async (db: Database, claim: UploadClaim): Promise<LeftoverUpload | undefined> =>
  db.deleteFrom('uploads').where(isClaimedBy(claim)).returning(leftoverColumns).executeTakeFirst();

/** Deletes the rows of expired, unclaimed uploads and returns the data for `removeLeftovers`. */
export const deleteExpiredUploads = async (db: Database, limit: number): Promise<LeftoverUpload[]> =>
  db
    .deleteFrom('uploads')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('uploads')
        .select('id')
        .where('expires_at', '<=', sql<Date>`now()`)
        .where(isFree)
        .orderBy('expires_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(leftoverColumns)
    .execute();

/** Lists unfinished, unclaimed uploads whose bytes have all arrived, by id, starting after `after`. */
export const listReceivedUploads = async (db: Database, limit: number, after?: string): Promise<LeftoverUpload[]> =>
  db
    .selectFrom('uploads')
    .select(leftoverColumns)
    .where('media_item_id', 'is', null)
    .where(sql<boolean>`received_bytes = length_bytes`)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(isFree)
    .$if(after !== undefined, (query) => query.where('id', '>', after!))
    .orderBy('id')
    .limit(limit)
    .execute();

export const listUnfinishedUploads = async (db: Database, userId: string): Promise<LeftoverUpload[]> =>
  db
    .selectFrom('uploads')
    .select(leftoverColumns)
    .where('media_item_id', 'is', null)
    .where('user_id', '=', userId)
    .execute();

/** Lists the multipart writes of unfinished uploads. */
export const listUploadWrites = async (db: Database): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('uploads')
    .select('write_id')
    .where('media_item_id', 'is', null)
    .where('write_id', 'is not', null)
    .execute();
  return new Set(rows.flatMap(({ write_id }) => write_id ?? []));
};

export const listReferencedTails = async (db: Database, keys: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('uploads')
    .select(sql<string>`tail_key`.as('key'))
    .where('media_item_id', 'is', null)
    .where(sql<boolean>`tail_key = any(${keys})`)
    .execute();
  return rows.map(({ key }) => key);
};
