import { sql } from 'kysely';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { writePictureHash } from '@hearth/worker/components/search/pictureHashes.ts';
import { writeItemEmbedding } from '@hearth/core/items/itemEmbeddings.ts';
import { embeddingLength, type SearchModelName } from '@hearth/core/config/searchModels.ts';

/** A picture on two scales: how many bits its hash has, 0 to 63, of which each next one lies in another band; and where its embedding points, in radians. */
export interface MadeLook {
  readonly bits: number;
  readonly angle: number;
  readonly sharpness?: number;
  readonly model?: SearchModelName;
  /** Photos that are settled with it at most. */
  readonly maxSettled?: number;
}

export const madeHash = (bits: number): bigint =>
  Array.from({ length: bits }, (_, n) => 1n << BigInt((n % 4) * 16 + Math.floor(n / 4))).reduce(
    (hash, bit) => hash | bit,
    0n,
  );

/** [512], of length 1 together. */
export const madeEmbedding = (angle: number): Float32Array => {
  const vector = new Float32Array(embeddingLength);
  vector.set([Math.cos(angle), Math.sin(angle)]);
  return vector;
};

/** Does for an item what SEARCH does: keeps an embedding and a hash, and puts it into its group. */
export const writeLook = (
  db: Database,
  item: Pick<MediaItemRow, 'id' | 'user_id'>,
  { bits, angle, sharpness = 0.5, model = 'concept-lite', maxSettled }: MadeLook,
): Promise<void> =>
  transaction(db, async (trx) => {
    await sql`select from media_items where id = ${item.id} for update`.execute(trx);
    await writeItemEmbedding(trx, item, model, madeEmbedding(angle));
    await writePictureHash(trx, item, { hash: madeHash(bits), sharpness }, maxSettled);
  });
