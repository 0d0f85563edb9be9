import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import type { UploadRow } from '@hearth/core/db/schema.ts';
import { isClaimedBy, isFree, type UploadClaim } from './uploadClaims.ts';

export type UploadRemains = Pick<UploadRow, 'id' | 'user_id' | 'write_id' | 'tail_key' | 'media_item_id'>;

const remains = ['id', 'user_id', 'write_id', 'tail_key', 'media_item_id'] as const;

/** Removes the row of an upload and answers what is left of it; undefined where the claim has passed to another request. */
export const deleteUpload = async (db: Database, claim: UploadClaim): Promise<UploadRemains | undefined> =>
  db.deleteFrom('uploads').where(isClaimedBy(claim)).returning(remains).executeTakeFirst();

/** Removes the rows of uploads past their time that nobody is at work on, and answers what is left of them. */
export const deleteExpiredUploads = async (db: Database, limit: number): Promise<UploadRemains[]> =>
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
    .returning(remains)
    .execute();

/** Uploads whose bytes have all been received and that nobody is finishing, in the order of their ids; those behind `after` where it is given. */
export const listReceivedUploads = async (db: Database, limit: number, after?: string): Promise<UploadRemains[]> =>
  db
    .selectFrom('uploads')
    .select(remains)
    .where('media_item_id', 'is', null)
    .where(sql<boolean>`received_bytes = length_bytes`)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(isFree)
    .$if(after !== undefined, (query) => query.where('id', '>', after!))
    .orderBy('id')
    .limit(limit)
    .execute();

export const listUnfinishedUploads = async (db: Database, userId: string): Promise<UploadRemains[]> =>
  db.selectFrom('uploads').select(remains).where('media_item_id', 'is', null).where('user_id', '=', userId).execute();

/** The writes of the store that unfinished uploads go on with. */
export const listUploadWrites = async (db: Database): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('uploads')
    .select('write_id')
    .where('media_item_id', 'is', null)
    .where('write_id', 'is not', null)
    .execute();
  return new Set(rows.flatMap(({ write_id }) => write_id ?? []));
};

export const listKeptTails = async (db: Database, keys: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('uploads')
    .select(sql<string>`tail_key`.as('key'))
    .where('media_item_id', 'is', null)
    .where(sql<boolean>`tail_key = any(${keys})`)
    .execute();
  return rows.map(({ key }) => key);
};
