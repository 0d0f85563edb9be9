import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { encodeEmbedding, embeddingVersion } from './faceEmbedding.ts';
import { addToLooks } from './personLooks.ts';

/** A face with its person, as far as is known. */
export interface EmbeddedFace {
  readonly personId: string | null;
  /** Of length 1. */
  readonly embedding: Float32Array;
  readonly isFounding: boolean;
  readonly likeness: number | null;
}

/** Keeps what the faces with these ids are recognised by, and adds those that are new to what is known of their people. To be called behind `lockPeople`. */
export const writeEmbeddings = async (
  trx: Database,
  userId: string,
  ids: readonly string[],
  faces: readonly EmbeddedFace[],
): Promise<void> => {
  if (faces.length === 0) return;
  const known = await trx
    .selectFrom('face_embeddings')
    .select('face_id')
    .where(sql<boolean>`face_id = any(${ids}::uuid[])`)
    .where('version', '=', embeddingVersion)
    .where('is_founding', '=', true)
    .execute();
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
      })),
    )
    .execute();
  // The same face once more changes nothing of what is known of its person.
  const before = new Set(known.map((row) => row.face_id));
  for (const [index, { personId, embedding, isFounding }] of faces.entries())
    if (isFounding && personId !== null && !before.has(ids[index]!)) await addToLooks(trx, personId, embedding);
};
