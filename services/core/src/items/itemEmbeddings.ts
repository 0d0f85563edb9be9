import { sql } from 'kysely';
import { embeddingLength, type SearchModelName } from '../config/searchModels.ts';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';
import type { MediaItemRow } from '../db/schema.ts';
import { encodeEmbedding } from '../people/faceEmbedding.ts';

/**
 * Stores a model's embedding of an item's picture. Replaces the model's earlier one and keeps those of other models.
 * Triggers update the search index in the same transaction, see [Note: Derived vectors]. Requires a lock on the item's
 * row.
 * @param embedding [512], normalized to length 1
 */
export const writeItemEmbedding = async (
  trx: Database,
  item: Pick<MediaItemRow, 'id' | 'user_id'>,
  model: SearchModelName,
  embedding: Float32Array,
): Promise<void> => {
  if (embedding.length !== embeddingLength) throw new RangeError(`an embedding must have ${embeddingLength} numbers`);
  await sql`
    insert into media_item_embeddings as existing (media_item_id, model, user_id, embedding)
    values (${item.id}, ${model}, ${item.user_id}, ${encodeEmbedding(embedding)})
    on conflict (media_item_id, model) do update set embedding = excluded.embedding
    where existing.embedding <> excluded.embedding`.execute(prepared(trx, 'insert_item_embedding'));
  // The first model of a library answers its searches, see [Note: Change of model].
  await sql`
    insert into answering_models (user_id, model) values (${item.user_id}, ${model}) on conflict do nothing`.execute(
    prepared(trx, 'insert_answering_model'),
  );
};
