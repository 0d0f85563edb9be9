import { sql, type RawBuilder } from 'kysely';
import type { SearchModelName } from '@hearth/core/config/searchModels.ts';
import type { Database } from '@hearth/core/db/database.ts';

/** A set of items: their ids, or SQL that returns the ids in one column. */
export type ItemSet = readonly string[] | RawBuilder<unknown>;

/** Converts a set of items to SQL that returns the ids. */
export const selectIds = (among: ItemSet): RawBuilder<unknown> =>
  'length' in among ? sql`select unnest(${among}::uuid[]) as id` : among;

/** A nearest-neighbour query over one owner's embeddings. */
export interface NearestQuery {
  readonly userId: string;
  readonly model: SearchModelName;
  /** Unit vector, shape [512]. */
  readonly vector: Float32Array;
  readonly limit: number;
  /** Restricts the search to these items. With up to 1,000 ids, all are compared. */
  readonly among?: ItemSet | undefined;
}

/** An item and its cosine similarity to the query vector, −1 to 1. */
export interface SimilarItem {
  readonly id: string;
  readonly likeness: number;
}

/**
 * Selects nearest-neighbour candidates among an owner's visible items. All implementations must pass
 * `services/testkit/src/embeddings/testNearestSearch.ts`.
 */
export interface Candidates {
  /** Returns a superset of the `limit` nearest items in any order, with very few misses. */
  readonly list: (db: Database, query: NearestQuery) => Promise<readonly string[]>;
}
