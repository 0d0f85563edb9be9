import { compareSimilarItems, findNearest } from '@hearth/api/semantic/nearest.ts';
import type { SimilarItem } from '@hearth/api/semantic/candidates.ts';
import { openCandidates } from '@hearth/api/semantic/openCandidates.ts';
import { openDatabase } from '@hearth/core/db/database.ts';
import { decodeEmbedding, computeSimilarity } from '@hearth/core/people/faceEmbedding.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { benchModel } from './fillEmbeddings.ts';

/** Number of nearest neighbours, and embeddings per read. */
const [resultCount, batchSize] = [20, 20_000];

/**
 * Returns the recall of the 20 nearest neighbours of each vector, 0 to 1. The reference compares all embeddings of the
 * user.
 */
export const measureRecall = async (url: string, userId: string, vectors: readonly Float32Array[]): Promise<number> => {
  const exact: SimilarItem[][] = vectors.map(() => []);
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await queryOnce<{ id: string; embedding: Buffer }>(
      url,
      `select media_item_id as id, embedding from media_item_embeddings
       where user_id = $1 and model = $2 and media_item_id > $3 order by media_item_id limit ${batchSize}`,
      [userId, benchModel, after],
    );
    const batch = rows.map(({ id, embedding }) => ({ id, vector: decodeEmbedding(embedding) }));
    for (const [n, vector] of vectors.entries()) {
      const similar = batch.map((each) => ({ id: each.id, likeness: computeSimilarity(vector, each.vector) }));
      exact[n] = [...exact[n]!, ...similar].toSorted(compareSimilarItems).slice(0, resultCount);
    }
    if (rows.length < batchSize) break;
    after = rows.at(-1)!.id;
  }
  const candidates = openCandidates();
  await candidates.prepare(url);
  const db = openDatabase({ url, maxConnections: 1, onError: () => undefined, statementTimeoutMs: 600_000 });
  try {
    let found = 0;
    for (const [n, vector] of vectors.entries()) {
      const nearest = await findNearest(db, candidates, { userId, model: benchModel, vector, limit: resultCount });
      const ids = new Set(nearest.map(({ id }) => id));
      found += exact[n]!.filter(({ id }) => ids.has(id)).length;
    }
    return found / (resultCount * vectors.length);
  } finally {
    await db.destroy();
  }
};
