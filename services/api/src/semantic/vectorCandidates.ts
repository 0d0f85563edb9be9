import { sql } from 'kysely';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import type { Candidates, NearestQuery } from './candidates.ts';
import { signatureCandidates } from './signatureCandidates.ts';

/**
 * Up to this many embeddings of one owner, signatures are used: comparing them takes about 15 ms. The index covers all
 * owners, so most of its results would be discarded for an owner with few embeddings.
 */
const fewEmbeddings = 20_000;

/** Minimum and maximum of `hnsw.ef_search`. The maximum is pgvector's. */
const [minCompared, maxCompared] = [200, 1_000];

/** Limit of extra results requested from the index. Each is read and compared. */
const maxSpare = 200;

/** Vectors scanned before the index gives up. Most may belong to other owners. */
const maxScanned = 40_000;

/**
 * Selects candidates with pgvector's index of all owners and models, by iterative scans until enough belong to the
 * owner (https://github.com/pgvector/pgvector#iterative-index-scans). Uses signatures for an owner with few embeddings,
 * with a small share of all, or if the index gave up.
 */
export const vectorCandidates = ({ few = fewEmbeddings } = {}): Candidates => ({
  list: async (db, query) => {
    // Requests more than wanted: the index misses one in a hundred, most likely the last ones.
    const wanted = query.limit + Math.min(query.limit, maxSpare);
    const { owned, enough } = await countOwned(db, query, wanted, few);
    if (owned < enough) return signatureCandidates.list(db, query);
    const found = await searchIndex(db, query, wanted);
    return found.length < Math.min(wanted, owned) ? signatureCandidates.list(db, query) : found;
  },
});

/**
 * Counts an owner's embeddings and returns the minimum for using the index: more than `few`, and a share of all
 * embeddings that lets the index find the wanted number within its scan limit. Counts no further than needed.
 */
const countOwned = async (
  db: Database,
  { userId, model }: NearestQuery,
  wanted: number,
  few: number,
): Promise<{ readonly owned: number; readonly enough: number }> => {
  const { rows } = await sql<{ owned: number; enough: number }>`
    with bound as materialized (
      select greatest(${few + 1}, ceil(${wanted} * reltuples / ${maxScanned}))::int as enough
      from pg_class where oid = 'embedding_vectors'::regclass
    )
    select enough, (
      select count(*)::int from (
        select from embedding_signatures where user_id = ${userId} and model = ${model} and visibility = 'visible'
        limit (select greatest(enough, ${wanted}) from bound)) as counted
    ) as owned from bound`.execute(db);
  return rows[0]!;
};

const searchIndex = (db: Database, query: NearestQuery, wanted: number): Promise<readonly string[]> =>
  transaction(db, async (trx) => {
    const compared = Math.min(maxCompared, Math.max(minCompared, wanted));
    await sql`
      select set_config('hnsw.ef_search', ${String(compared)}, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
        set_config('hnsw.max_scan_tuples', ${String(maxScanned)}, true)`.execute(trx);
    const { rows } = await sql<{ id: string }>`
      select media_item_id as id from embedding_vectors
      where user_id = ${query.userId} and model = ${query.model} and visibility = 'visible'
      order by embedding <#> ${`[${query.vector.join(',')}]`}::halfvec
      limit ${wanted}`.execute(trx);
    return rows.map(({ id }) => id);
  });
