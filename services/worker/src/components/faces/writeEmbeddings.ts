import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { encodeEmbedding, embeddingVersion } from '@hearth/core/people/faceEmbedding.ts';

export interface EmbeddedFace {
  /** Unit length. */
  readonly embedding: Float32Array;
  readonly isFounding: boolean;
  readonly likeness: number | null;
}

/**
 * Writes the embeddings of the faces with these ids. Call only while holding `lockPeople`: incremental readers would miss rows written concurrently.
 */
export const writeEmbeddings = async (
  trx: Database,
  userId: string,
  ids: readonly string[],
  faces: readonly EmbeddedFace[],
): Promise<void> => {
  if (faces.length === 0) return;
  const rows = faces.map(({ embedding, isFounding, likeness }, index) => ({
    face_id: ids[index]!,
    user_id: userId,
    version: embeddingVersion,
    embedding: encodeEmbedding(embedding),
    is_founding: isFounding,
    likeness,
  }));
  await trx
    .insertInto('face_embeddings')
    .values(rows)
    .onConflict((on) =>
      on.column('face_id').doUpdateSet(({ ref }) => ({
        version: ref('excluded.version'),
        embedding: ref('excluded.embedding'),
        is_founding: ref('excluded.is_founding'),
        likeness: ref('excluded.likeness'),
        written: sql`nextval('face_embeddings_written')`,
      })),
    )
    .execute();
};
