import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SearchModelName } from '@hearth/core/config/searchModels.ts';
import { fillManyEmbeddings, mixVectors } from '@hearth/testkit/embeddings/madeEmbeddings.ts';
import { fillDatabase } from '@hearth/testkit/libraries/fillDatabase.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';

/** The stand-in: the weights of the others are larger than what lies beside the test data, and its vectors have the same length. */
export const benchModel: SearchModelName = 'concept-lite';

/** What pictures show, and what is asked for: words that the stand-in knows. */
export const askedWords = (
  'dog cat beach mountain bicycle car boat castle church bridge ' +
  'flower mushroom butterfly elephant panda pizza coffee guitar piano train'
).split(' ');

/** A user of a library, and how many items it is to have. */
export interface Owner {
  readonly userId: string;
  readonly items: number;
}

/**
 * Fills a migrated database with libraries of so many items of fifteen years, each visible one with an embedding: the mix of what three of
 * `askedWords` mean and of something of its own. Where the database has vectors, their index is for the caller to make.
 */
export const fillMeaning = async (url: string, owners: readonly Owner[]): Promise<void> => {
  await fillDatabase(url, owners);
  const vectors = mixVectors(1, await embedWords());
  for (const { userId } of owners) {
    const rows = await queryOnce<{ id: string }>(
      url,
      `select id from media_items where user_id = $1 and visibility = 'visible' order by id`,
      [userId],
    );
    await fillManyEmbeddings(url, { userId, model: benchModel, ids: rows.map(({ id }) => id) }, vectors);
  }
  await queryOnce(url, 'vacuum analyze');
};

const program = join(import.meta.dirname, 'measureMeanings.ts');

/** What `askedWords` mean: [askedWords][512]. */
export const embedWords = async (): Promise<readonly Float32Array[]> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...askedWords], { maxBuffer: 2 ** 24 });
  return stdout
    .trim()
    .split('\n')
    .map((line) => new Float32Array(JSON.parse(line) as number[]));
};
