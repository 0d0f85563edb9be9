import type { SearchModelName } from '@hearth/core/searchModels.ts';
import { fillEmbeddings, mixVectors } from '@hearth/core/testing/embeddings/madeEmbeddings.ts';
import { fillDatabase } from '@hearth/core/testing/fillDatabase.ts';
import { queryOnce } from '@hearth/core/testing/postgres.ts';
import { openInference } from '@hearth/inference/inference.ts';
import { testSettings } from '@hearth/inference/testing/testModels.ts';

/** The stand-in: the weights of the others are larger than what lies beside the test data, and its vectors have the same length. */
export const benchModel: SearchModelName = 'concept-lite';

/** What pictures show, and what is asked for: words that the stand-in knows. */
export const askedWords = [
  ...['dog', 'cat', 'beach', 'mountain', 'bicycle', 'car', 'boat', 'castle', 'church', 'bridge'],
  ...['flower', 'mushroom', 'butterfly', 'elephant', 'panda', 'pizza', 'coffee', 'guitar', 'piano', 'train'],
] as const;

/** Items whose embeddings are written at once, so that not all of a million are in memory. */
const batch = 10_000;

/**
 * Fills a migrated database with a user's library of so many items of fifteen years, each visible one with an embedding: the mix of what three of
 * `askedWords` mean and of something of its own. The signatures follow by the triggers of the product.
 */
export const fillMeaning = async (url: string, userId: string, items: number): Promise<void> => {
  await fillDatabase(url, [{ userId, items }]);
  const vectors = mixVectors(1, await embedWords());
  const rows = await queryOnce<{ id: string }>(
    url,
    `select id from media_items where user_id = $1 and visibility = 'visible' order by id`,
    [userId],
  );
  const ids = rows.map(({ id }) => id);
  for (let from = 0; from < ids.length; from += batch)
    await fillEmbeddings(url, { userId, model: benchModel, ids: ids.slice(from, from + batch) }, vectors);
  await queryOnce(url, 'vacuum analyze');
};

/** [askedWords][512] */
const embedWords = async (): Promise<readonly Float32Array[]> => {
  const inference = openInference({
    settings: testSettings,
    timeoutMs: 60_000,
    idleMs: 60_000,
    memoryLimitBytes: 500 * 2 ** 20,
    onProvider: () => undefined,
  });
  try {
    const meanings = [];
    for (const word of askedWords) meanings.push((await inference.embedText(benchModel, word)).vector);
    return meanings;
  } finally {
    await inference.close();
  }
};
