import { sql } from 'kysely';
import type { QueryEmbedding, SearchModelName } from '@hearth/core/config/searchModels.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { decodeEmbedding } from '@hearth/core/people/faceEmbedding.ts';
import type { ItemSet, Candidates, SimilarItem } from './candidates.ts';
import { compareSimilarItems, findNearest } from './nearest.ts';

/**
 * Limit of items ranked by semantic similarity. Each must be read and compared, and hardly any user scrolls further.
 */
export const maxSimilarItems = 1_000;

/**
 * Minimum cosine of similar pictures, by model. With the stand-in, of 1,770 pairs of 60 different pictures 3.3 % reach
 * 0.6, mostly two animals, and 5.4 % reach 0.5, including a mushroom and a dog (2026-11). With CLIP, any two pictures
 * have a mean cosine of about 0.5 to 0.55. Its 0.7 is a first guess, not measured with the real weights.
 */
export const minItemSimilarity = {
  'tinyclip-vit-8m-16': 0.7,
  'clip-vit-b-32': 0.7,
  'concept-lite': 0.6,
} as const satisfies Readonly<Record<SearchModelName, number>>;

export interface SimilarityOptions {
  readonly limit: number;
  /** Last item of the previous page. Results start after its rank, whatever was added meanwhile. */
  readonly after?: SimilarItem | undefined;
  /** Restricts the search to these items. */
  readonly among?: ItemSet | undefined;
}

/**
 * Returns a user's visible items that match a vector, most similar first. `isComplete` is true if no more follow. An
 * item's similarity never changes, so pages stay stable while photos arrive.
 */
export const findByEmbedding = async (
  db: Database,
  candidates: Candidates,
  userId: string,
  { model, vector, minSimilarity }: QueryEmbedding,
  { limit, after, among }: SimilarityOptions,
): Promise<{ readonly found: readonly SimilarItem[]; readonly isComplete: boolean }> => {
  for (let size = Math.min(maxSimilarItems, after === undefined ? limit : 4 * limit); ; size *= 4) {
    const read = Math.min(size, maxSimilarItems);
    const nearest = await findNearest(db, candidates, { userId, model, vector, limit: read, among });
    const matching = nearest.filter(({ likeness }) => likeness >= minSimilarity);
    const following = after === undefined ? matching : matching.filter((each) => compareSimilarItems(each, after) > 0);
    const areAll = nearest.length < read || matching.length < nearest.length || read === maxSimilarItems;
    if (following.length >= limit || areAll)
      return { found: following.slice(0, limit), isComplete: areAll && following.length <= limit };
  }
};

/**
 * Returns a user's visible items similar to one of them, most similar first, without that item. Undefined if the user
 * has no such visible item or it has no embedding.
 */
export const findSimilarToItem = async (
  db: Database,
  candidates: Candidates,
  { userId, id, model }: { readonly userId: string; readonly id: string; readonly model: SearchModelName },
  options: SimilarityOptions,
): Promise<readonly SimilarItem[] | undefined> => {
  const vector = await findItemEmbedding(db, userId, id, model);
  if (vector === undefined) return undefined;
  const { limit, ...others } = options;
  const query = { model, vector, minSimilarity: minItemSimilarity[model] };
  const { found } = await findByEmbedding(db, candidates, userId, query, { ...others, limit: limit + 1 });
  return found.filter((each) => each.id !== id).slice(0, limit);
};

/** Returns a model's embedding of a user's visible item, or undefined without one. */
export const findItemEmbedding = async (
  db: Database,
  userId: string,
  mediaItemId: string,
  model: SearchModelName,
): Promise<Float32Array | undefined> => {
  const { rows } = await sql<{ embedding: Buffer }>`
    select embedding from media_item_embeddings as kept join media_items as item on item.id = kept.media_item_id
    where kept.media_item_id = ${mediaItemId} and kept.model = ${model} and kept.user_id = ${userId}
      and item.visibility = 'visible'`.execute(db);
  return rows[0] && decodeEmbedding(rows[0].embedding);
};
