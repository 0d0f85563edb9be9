import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import type { UploadRow } from '@hearth/core/db/schema.ts';
import { isFree } from '../../ingest/abandonedItems.ts';

/** The right of one request to work on an upload. Every write carries the claim. */
export interface UploadClaim {
  readonly uploadId: string;
  readonly claimId: string;
}

export const isClaimedBy = ({ uploadId, claimId }: UploadClaim): RawBuilder<boolean> =>
  sql<boolean>`(id = ${uploadId} and claim_id = ${claimId})`;

const until = (leaseMs: number) => sql<Date>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;

/**
 * Claims an upload for `leaseMs` and returns its current row. Returns undefined if another request has it, or it is
 * expired or gone.
 */
export const claimUpload = async (
  db: Database,
  userId: string,
  uploadId: string,
  leaseMs: number,
): Promise<{ readonly claim: UploadClaim; readonly upload: UploadRow } | undefined> => {
  const claimId = randomUUID();
  const upload = await db
    .updateTable('uploads')
    .set({ claim_id: claimId, claimed_until: until(leaseMs), is_asked_for: false })
    .where('id', '=', uploadId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(isFree)
    .returningAll()
    .executeTakeFirst();
  return upload && { claim: { uploadId, claimId }, upload };
};

export const requestClaim = async (db: Database, userId: string, uploadId: string): Promise<void> => {
  await db
    .updateTable('uploads')
    .set({ is_asked_for: true })
    .where('id', '=', uploadId)
    .where('user_id', '=', userId)
    .where('claim_id', 'is not', null)
    .where('is_asked_for', '=', false)
    .execute();
};

/** Extends a claim to `leaseMs` from now. Returns its state: `requested` if another request wants the claim. */
export const renewUploadClaim = async (
  db: Database,
  claim: UploadClaim,
  leaseMs: number,
): Promise<'held' | 'requested' | 'lost'> => {
  const row = await db
    .updateTable('uploads')
    .set({ claimed_until: until(leaseMs) })
    .where(isClaimedBy(claim))
    .returning('is_asked_for')
    .executeTakeFirst();
  if (row === undefined) return 'lost';
  return row.is_asked_for ? 'requested' : 'held';
};

/** Releases a claim, unless another request has it already. */
export const releaseUpload = async (db: Database, claim: UploadClaim): Promise<void> => {
  await db
    .updateTable('uploads')
    .set({ claim_id: null, claimed_until: null, is_asked_for: false })
    .where(isClaimedBy(claim))
    .execute();
};
