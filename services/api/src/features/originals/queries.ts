import { sql } from 'kysely';
import type { OriginalState } from '@hearth/contract/vocabulary.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import { findOriginalCheck } from '@hearth/core/originals/originalChecks.ts';

/** Returns the recorded state of an original; OK if it has not been checked yet. */
export const getOriginalState = async (db: Database, id: string): Promise<OriginalState> =>
  (await findOriginalCheck(db, id))?.state ?? 'OK';

/** The record that a stored original is compared with before it is sent. */
export interface ExpectedOriginal {
  readonly sizeBytes: number;
  /** The result of the last check; null if the original has not been checked yet. */
  readonly state: OriginalState | null;
}

/** Returns the record of the original of any user's item; undefined for an unknown item. */
export const findExpectedOriginal = async (db: Database, id: string): Promise<ExpectedOriginal | undefined> =>
  prepared(db, 'expected_original')
    .selectFrom('media_items')
    .leftJoin('original_checks', 'original_checks.media_item_id', 'media_items.id')
    .select(['media_items.size_bytes as sizeBytes', 'original_checks.state'])
    .where('media_items.id', '=', id)
    .where('media_items.removing_at', 'is', null)
    .executeTakeFirst();

/** Returns the ids of those items whose original is recorded as DAMAGED or MISSING. */
export const listFaultyOriginals = async (db: Database, userId: string, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select media_item_id as id from original_checks
    where user_id = ${userId} and media_item_id = any(${ids}::uuid[]) and state <> 'OK'`.execute(
    prepared(db, 'faulty_originals'),
  );
  return rows.map(({ id }) => id);
};
