import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { decodeEmbedding, computeSimilarity } from '@hearth/core/people/faceEmbedding.ts';
import type { Candidates, SimilarItem, NearestQuery } from './candidates.ts';
import { signatureCandidates } from './signatureCandidates.ts';

/**
 * Returns the visible items of an owner that are nearest to a vector, nearest first, ties by descending id. Computes
 * similarities from the stored embeddings, so that the result does not depend on how candidates were found.
 */
export const findNearest = async (
  db: Database,
  candidates: Candidates,
  query: NearestQuery,
): Promise<readonly SimilarItem[]> => {
  if (query.limit <= 0) return [];
  const ids = await chooseIds(db, candidates, query);
  if (ids.length === 0) return [];
  const { userId, model, vector, limit } = query;
  const { rows } = await sql<{ id: string; embedding: Buffer }>`
    select kept.media_item_id as id, kept.embedding
    from unnest(${ids}::uuid[]) as wanted (id)
      join media_item_embeddings as kept on kept.media_item_id = wanted.id and kept.model = ${model}
      join media_items as item on item.id = wanted.id
    where kept.user_id = ${userId} and item.user_id = ${userId} and item.visibility = 'visible'`.execute(db);
  return rows
    .map(({ id, embedding }) => ({ id, likeness: computeSimilarity(vector, decodeEmbedding(embedding)) }))
    .toSorted(compareSimilarItems)
    .slice(0, limit);
};

/** Up to this many ids, all items of a filter are compared. With more, selecting candidates first is faster. */
const fewIds = 1_000;

const chooseIds = (db: Database, candidates: Candidates, query: NearestQuery): Promise<readonly string[]> => {
  const { among } = query;
  if (among === undefined) return candidates.list(db, query);
  return 'length' in among && among.length <= fewIds ? Promise.resolve(among) : signatureCandidates.list(db, query);
};

/** Sort order of results: by similarity, then id, both descending. */
export const compareSimilarItems = (a: SimilarItem, b: SimilarItem): number =>
  b.likeness - a.likeness || (a.id < b.id ? 1 : -1);
