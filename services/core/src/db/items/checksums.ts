import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { prepared } from '../connection/preparedReads.ts';

/** The ids of the user's items with these checksums, given and answered in hexadecimal digits; those in the trash too. */
export const findByChecksums = async (
  db: Database,
  userId: string,
  checksums: readonly string[],
): Promise<Map<string, string>> => {
  const wanted = checksums.map((checksum) => Buffer.from(checksum, 'hex'));
  const rows = await prepared(db, 'checksums')
    .selectFrom('media_items')
    .select(['id', 'checksum'])
    .where('user_id', '=', userId)
    .where(sql<boolean>`checksum = any(${wanted}::bytea[])`)
    .where('removing_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, checksum }) => [checksum.toString('hex'), id]));
};
