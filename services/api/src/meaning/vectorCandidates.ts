import { sql } from 'kysely';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import type { Candidates, NearestQuestion } from './candidates.ts';
import { signatureCandidates } from './signatureCandidates.ts';

/**
 * Embeddings of one owner up to which the signatures are read: some 15 ms, in which nearly all of them are compared. The index has those of all
 * owners, and would pass over most of what it finds for one with few.
 */
const fewEmbeddings = 20_000;

/** What HNSW keeps in view while it searches: at least, and at most as pgvector allows. */
const [leastSeen, mostSeen] = [200, 1_000];

/** How many more than are asked for the index is asked for at most: each is read and compared. */
const mostSpare = 200;

/** Vectors that the index looks at before it gives up, of which most may be other owners'. */
const maxScanned = 40_000;

/**
 * Chooses by the index of pgvector, which has the vectors of all owners and models and is asked for more until enough are the owner's
 * (https://github.com/pgvector/pgvector#iterative-index-scans). Whoever has few embeddings, or so few among many that the index would give up or has done
 * so, is served by signatures.
 */
export const vectorCandidates = ({ few = fewEmbeddings } = {}): Candidates => ({
  list: async (db, question) => {
    // More than are asked for: the index misses one in a hundred of those that it is asked for, and the last ones first.
    const wanted = question.limit + Math.min(question.limit, mostSpare);
    const { owned, enough } = await countOwned(db, question, wanted, few);
    if (owned < enough) return signatureCandidates.list(db, question);
    const found = await searchIndex(db, question, wanted);
    return found.length < Math.min(wanted, owned) ? signatureCandidates.list(db, question) : found;
  },
});

/**
 * How many embeddings an owner has, and from how many on the index is asked: more than `few`, and a part of all of which as many as are wanted can be
 * expected among those that the index looks at. Counts no further.
 */
const countOwned = async (
  db: Database,
  { userId, model }: NearestQuestion,
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

const searchIndex = (db: Database, question: NearestQuestion, wanted: number): Promise<readonly string[]> =>
  transaction(db, async (trx) => {
    const seen = Math.min(mostSeen, Math.max(leastSeen, wanted));
    await sql`
      select set_config('hnsw.ef_search', ${String(seen)}, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
        set_config('hnsw.max_scan_tuples', ${String(maxScanned)}, true)`.execute(trx);
    const { rows } = await sql<{ id: string }>`
      select media_item_id as id from embedding_vectors
      where user_id = ${question.userId} and model = ${question.model} and visibility = 'visible'
      order by embedding <#> ${`[${question.vector.join(',')}]`}::halfvec
      limit ${wanted}`.execute(trx);
    return rows.map(({ id }) => id);
  });
