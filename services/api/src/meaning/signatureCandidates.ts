import { sql } from 'kysely';
import { embeddingLength } from '@hearth/core/config/searchModels.ts';
import { idsOf, type Candidates } from './candidates.ts';

/**
 * How many are chosen by their signatures for each that is wanted, and at least: a sign says little of a number, so the nearest stand among the first
 * few hundred only. Of vectors that are mixed as those of the stand-in are, all of the 20 nearest of 100,000 are among 1,200; of 20,000 that lie as
 * CLIP's do, in a narrow cone and off that of the texts, 0.98 of them (2026-11, made up, since the weights could not be had).
 */
const [perWanted, least] = [6, 1_200];

/**
 * Bits by which each number of the vector that is asked for is told, of which the kept ones have their signs alone. With one bit, which compares signs with
 * signs, 0.88 were found in place of 0.98, in two thirds of the time.
 */
const bits = 3;

/** The largest number that is told apart, in root mean squares of a vector: few are larger. */
const largest = 2.5;

/**
 * Chooses by the signs of the numbers that are kept, which any PostgreSQL can: by the sum of the numbers that are asked for, each with the sign of the
 * kept one. A number is told by bits of 1, 2 and 4, so the sum is one of counts of differing bits. Reads all signatures of the owner, some 85 ms for 100,000.
 */
export const signatureCandidates: Candidates = {
  list: async (db, { userId, model, vector, limit, among }) => {
    const counts = planesOf(vector).map(
      (plane, bit) => sql`${sql.lit(2 ** bit)} * bit_count(signature # ${plane}::bit(512))`,
    );
    const owned = sql`user_id = ${userId} and model = ${model} and visibility = 'visible'`;
    // Those of a filter one by one, in the order in which they mostly lie: the planner does not know how many there are, and may read all of the owner.
    const signatures =
      among === undefined
        ? sql`embedding_signatures where ${owned}`
        : sql`(select distinct id from (${idsOf(among)}) as wanted order by id offset 0) as wanted cross join lateral (
            select media_item_id, signature from embedding_signatures where media_item_id = wanted.id and ${owned} offset 0) as kept`;
    const { rows } = await sql<{ id: string }>`
      select media_item_id as id from ${signatures}
      order by ${sql.join(counts, sql` + `)}, media_item_id desc
      limit ${Math.max(perWanted * limit, least)}`.execute(db);
    return rows.map(({ id }) => id);
  },
};

/** The lowest bit of each number of a vector, the next one, and so on, as text for PostgreSQL: 0 of all bits is the least number that is told apart. */
const planesOf = (vector: Float32Array): readonly string[] => {
  const most = 2 ** bits - 1;
  const reach = largest / Math.sqrt(embeddingLength);
  const steps = Array.from(vector, (value) => Math.round(((Math.min(1, Math.max(-1, value / reach)) + 1) / 2) * most));
  return Array.from({ length: bits }, (_, bit) => steps.map((step) => (step >> bit) & 1).join(''));
};
