import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { encodeEmbedding, embeddingVersion } from '@hearth/core/people/faceEmbedding.ts';

/** What a face is recognised by. */
export interface EmbeddedFace {
  /** Of length 1. */
  readonly embedding: Float32Array;
  readonly isFounding: boolean;
  readonly likeness: number | null;
}

/** Keeps what the faces with these ids are recognised by. To be called behind `lockPeople`: who reads on would miss what is written at the same time. */
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
