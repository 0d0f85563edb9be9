import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { settlePicture } from '@hearth/core/duplicates/settlePictures.ts';

/** How a photo looks, by which others that show the same are found. */
export interface PictureLook {
  /** A perceptual hash: 64 bits, of which pictures that look the same share most. */
  readonly hash: bigint;
  /** How much detail the picture has, 0 where all pixels are alike. */
  readonly sharpness: number;
}

/**
 * Keeps how a photo looks and puts it into the group of those that show the same; without a look it is in none. To be called where the item's row is
 * locked, after its embedding was written.
 * @param maxSettled how many photos are settled at most, see `settlePicture`
 */
export const writePictureHash = async (
  trx: Database,
  { id, user_id: userId }: Pick<MediaItemRow, 'id' | 'user_id'>,
  look: PictureLook | undefined,
  maxSettled?: number,
): Promise<void> => {
  await sql`select lock_duplicates(${userId})`.execute(prepared(trx, 'lock_duplicates'));
  const hash = look === undefined ? null : String(BigInt.asIntN(64, look.hash));
  await sql`
    delete from picture_hashes where media_item_id = ${id} and hash is distinct from ${hash}::bigint`.execute(
    prepared(trx, 'remove_picture_hash'),
  );
  if (look === undefined) return;
  const { rows } = await sql<{ isCentre: boolean }>`
    insert into picture_hashes (media_item_id, user_id, hash, sharpness, group_id, is_centre, visibility, score)
    select id, user_id, ${hash}::bigint, ${look.sharpness}, free_duplicate_group(id), true, visibility,
      duplicate_score(item, ${look.sharpness}::real)
    from media_items as item where id = ${id}
    on conflict (media_item_id) do update set sharpness = excluded.sharpness, score = excluded.score
    returning is_centre as "isCentre"`.execute(prepared(trx, 'insert_picture_hash'));
  // Also one that was looked at again: by another model it may be near others with which it could not be compared before.
  if (rows[0]?.isCentre === true) await settlePicture(trx, userId, id, maxSettled);
};
