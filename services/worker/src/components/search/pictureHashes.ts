import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { groupPicture } from '@hearth/core/duplicates/groupPictures.ts';

/** Visual features for finding duplicates. */
export interface PictureFeatures {
  /** Perceptual hash of 63 bits. Similar pictures differ in few bits. */
  readonly hash: bigint;
  /** Amount of detail, 0 for a picture of one colour. */
  readonly sharpness: number;
}

/**
 * Stores the visual features of a photo and assigns it to a group of duplicates. Without `features`, removes it from its group. Call only while
 * holding a lock on the item's row, after its embedding was written.
 * @param maxGrouped maximum number of photos to regroup, see `groupPicture`
 */
export const writePictureHash = async (
  trx: Database,
  { id, user_id: userId }: Pick<MediaItemRow, 'id' | 'user_id'>,
  features: PictureFeatures | undefined,
  maxGrouped?: number,
): Promise<void> => {
  await sql`select lock_duplicates(${userId})`.execute(prepared(trx, 'lock_duplicates'));
  const hash = features === undefined ? null : String(BigInt.asIntN(64, features.hash));
  await sql`
    delete from picture_hashes where media_item_id = ${id} and hash is distinct from ${hash}::bigint`.execute(
    prepared(trx, 'remove_picture_hash'),
  );
  if (features === undefined) return;
  const { rows } = await sql<{ isCentre: boolean }>`
    insert into picture_hashes (media_item_id, user_id, hash, sharpness, group_id, is_centre, visibility, score)
    select id, user_id, ${hash}::bigint, ${features.sharpness}, free_duplicate_group(id), true, visibility,
      duplicate_score(item, ${features.sharpness}::real)
    from media_items as item where id = ${id}
    on conflict (media_item_id) do update set sharpness = excluded.sharpness, score = excluded.score
    returning is_centre as "isCentre"`.execute(prepared(trx, 'insert_picture_hash'));
  // Also regroups a reprocessed photo that represents its group: an embedding by another model makes it comparable with other photos than before.
  if (rows[0]?.isCentre === true) await groupPicture(trx, userId, id, maxGrouped);
};
