import { sql } from 'kysely';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { writePictureHash } from '@hearth/worker/components/search/pictureHashes.ts';
import { writeItemEmbedding } from '@hearth/core/items/itemEmbeddings.ts';
import { embeddingLength, type SearchModelName } from '@hearth/core/config/searchModels.ts';

/**
 * Visual features of a picture. `bits` is the number of set bits of its hash, 0 to 63. Each bit is in another band than the
 * previous one. `angle` is the direction of its embedding, in radians.
 */
export interface TestPictureFeatures {
  readonly bits: number;
  readonly angle: number;
  readonly sharpness?: number;
  readonly model?: SearchModelName;
  /** Maximum number of photos to regroup. */
  readonly maxSettled?: number;
}

export const makeHash = (bits: number): bigint =>
  Array.from({ length: bits }, (_, n) => 1n << BigInt((n % 4) * 16 + Math.floor(n / 4))).reduce(
    (hash, bit) => hash | bit,
    0n,
  );

/** [512], unit length. */
export const makeEmbedding = (angle: number): Float32Array => {
  const vector = new Float32Array(embeddingLength);
  vector.set([Math.cos(angle), Math.sin(angle)]);
  return vector;
};

/** Stores an item's embedding and hash, and assigns the item to a group of duplicates, like SEARCH. */
export const writePictureFeatures = (
  db: Database,
  item: Pick<MediaItemRow, 'id' | 'user_id'>,
  { bits, angle, sharpness = 0.5, model = 'concept-lite', maxSettled }: TestPictureFeatures,
): Promise<void> =>
  transaction(db, async (trx) => {
    await sql`select from media_items where id = ${item.id} for update`.execute(trx);
    await writeItemEmbedding(trx, item, model, makeEmbedding(angle));
    await writePictureHash(trx, item, { hash: makeHash(bits), sharpness }, maxSettled);
  });
