import { sql, type RawBuilder } from 'kysely';
import type { SearchModelName } from '@hearth/core/config/searchModels.ts';
import type { Database } from '@hearth/core/db/database.ts';

/** Some items: their ids, or SQL that answers these in one column. */
export type Among = readonly string[] | RawBuilder<unknown>;

/** Some items as SQL that answers their ids. */
export const idsOf = (among: Among): RawBuilder<unknown> =>
  'length' in among ? sql`select unnest(${among}::uuid[]) as id` : among;

/** What is asked of the embeddings of one owner. */
export interface NearestQuestion {
  readonly userId: string;
  readonly model: SearchModelName;
  /** [512], of length 1 together. */
  readonly vector: Float32Array;
  readonly limit: number;
  /** Of which items the nearest are wanted and no others: a filter. Of up to 1,000 ids every one is compared. */
  readonly among?: Among | undefined;
}

/** An item, and the cosine of its embedding and the vector that was asked for, −1 to 1. */
export interface Near {
  readonly id: string;
  readonly likeness: number;
}

/**
 * Chooses, of the visible items of an owner, those that may be the nearest to a vector. Each implementation is held to the same by
 * `services/testkit/src/embeddings/nearestSuite.ts`.
 */
export interface Candidates {
  /** The ids of at least the `limit` nearest in any order, with next to no mistakes, and of any number besides. */
  readonly list: (db: Database, question: NearestQuestion) => Promise<readonly string[]>;
}
