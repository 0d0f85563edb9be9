import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SearchModelName } from '@hearth/core/config/searchModels.ts';
import { fillManyEmbeddings, mixVectors } from '@hearth/testkit/embeddings/generatedEmbeddings.ts';
import { fillDatabase } from '@hearth/testkit/libraries/fillDatabase.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';

/**
 * Small stand-in model. Its vectors have the same length as those of the other models, which are too large for the test
 * data.
 */
export const benchModel: SearchModelName = 'concept-lite';

/** Concepts of the pictures and of the queries. The stand-in model knows each of these words. */
export const searchedWords = (
  'dog cat beach mountain bicycle car boat castle church bridge ' +
  'flower mushroom butterfly elephant panda pizza coffee guitar piano train'
).split(' ');

export interface Owner {
  readonly userId: string;
  readonly items: number;
}

/**
 * Fills a migrated database with libraries that span fifteen years. Each visible item gets an embedding: a mix of three
 * of `searchedWords` and noise. The caller creates the vector index if the database has pgvector.
 */
export const fillEmbeddings = async (url: string, owners: readonly Owner[]): Promise<void> => {
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

/** Returns the embeddings of `searchedWords`, shape [searchedWords][512]. */
export const embedWords = async (): Promise<readonly Float32Array[]> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...searchedWords], { maxBuffer: 2 ** 24 });
  return stdout
    .trim()
    .split('\n')
    .map((line) => new Float32Array(JSON.parse(line) as number[]));
};
