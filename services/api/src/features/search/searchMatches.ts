import { sql, type RawBuilder } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { lastId } from '@hearth/core/db/ids.ts';
import type { LocalTime } from '@hearth/core/db/schema.ts';
import type { Span } from './dates/searchDateWords.ts';
import {
  anyTime,
  getEstimate,
  hasProperty,
  isOwned,
  selectNewest,
  getSize,
  type Found,
  type SearchList,
} from './lists/searchList.ts';

/*
 * [Note: Intersecting posting lists] A search is an AND of terms, evaluated over posting lists that are sorted by date.
 *
 * Posting list (`SearchList`): the items of one indexed word, collection or property, newest first, all with one score.
 * Term: a word of the query, or a filter. It has one or more posting lists and matches an item that is in any of them.
 * Leading term: the term that is cheapest to read. The caller chooses it (`estimateCost` in searchRanked.ts).
 * Candidates: a batch of items of the leading term, newest first.
 *
 * 1. Read the next candidates from the lists of the leading term.
 * 2. Intersect: keep the candidates that match every other term. A term is checked in one of two ways:
 *    - Prefetch, for short lists: read the term's postings in the date range of the candidates once, then semi-join.
 *    - Probe, for all other lists: look up the words, collections and properties of each candidate (a forward index).
 * 3. Score: a term contributes the score of its best matching list. An item's score is the sum. Filters score 0.
 * 4. If a batch has no match, skip ahead: `findNextPossibleMatch` returns the newest date that can match.
 * 5. `findFrequent` in searchRanked.ts repeats steps 1 to 4. If matches stay rare, it ends with `intersectRemaining`, which
 *    reads the lists to their end, without scores.
 */

/** A word of the query, or a filter: an OR of posting lists. */
type Term = readonly SearchList[];

/** A position in a posting list. Items after it are older, or equally old with a smaller id. */
type Cursor = Pick<Found, 'localTime' | 'id'>;

/** All matches are ranked if the leading term has fewer items than this, otherwise only the newest matches. */
export const maxRanked = 1_000;

/** Returns the best `limit` items of a single term: by score, then newest first. */
export const findByTerm = async (db: Database, term: Term, spans: readonly Span[], limit: number): Promise<Found[]> => {
  const { rows } = await sql<Found>`
    select media_item_id as id, local_time as "localTime", max(score) as score from (${selectNewest(term, spans, limit)}) as postings
    group by 1, 2 order by 3 desc, 2 desc, 1 desc limit ${limit}`.execute(db);
  return rows;
};

/**
 * Reads the next `batchSize` candidates and returns those that match all terms, newest first. `last` is the cursor for the
 * next call, or undefined if the leading term has no items left.
 */
export const matchNextBatch = async (
  db: Database,
  terms: readonly Term[],
  leading: Term,
  spans: readonly Span[],
  batchSize: number,
  after: Cursor | undefined,
): Promise<{ readonly matches: Found[]; readonly last: Found | undefined }> => {
  const candidates = sql`
    select media_item_id as id, local_time from (${selectNewest(leading, spans, batchSize, after)}) as postings
    group by 1, 2 order by 2 desc, 1 desc limit ${batchSize}`;
  // The oldest candidate is returned even without a match, because it is the cursor.
  const { rows } = await sql<Found & { readonly score: number | null; readonly candidateCount: number }>`
    ${matchCandidates(candidates, terms, leading, spans)}
    where matched.score is not null or id = (select id from candidates order by local_time, id limit 1)
    order by local_time desc, id desc`.execute(db);
  const last = rows.at(-1);
  const matches = rows.flatMap(({ id, localTime, score }) => (score === null ? [] : [{ id, localTime, score }]));
  return { matches, last: last?.candidateCount === batchSize ? last : undefined };
};

/** Returns the user's visible items among `ids` that match all terms and lie in one of the spans, in no order. */
export const matchIds = async (
  db: Database,
  userId: string,
  ids: readonly string[],
  terms: readonly Term[],
  spans: readonly Span[] = anyTime,
): Promise<Found[]> => {
  if (ids.length === 0 || terms.some((term) => term.length === 0)) return [];
  const candidates = sql`
    select id, local_time from media_items
    where id = any(${ids}::uuid[]) and user_id = ${userId} and visibility = 'visible' and exists (
      select from unnest(${spans.map(({ from }) => from)}::timestamp[], ${spans.map(({ until }) => until)}::timestamp[]) as span (since, until)
      where local_time >= since and local_time < until)`;
  const { rows } = await sql<Found>`
    ${matchCandidates(candidates, terms, undefined, spans)} where matched.score is not null`.execute(db);
  return rows.map(({ id, localTime, score }) => ({ id, localTime, score }));
};

/** Returns the newest date, up to `before`, that can match; undefined if a term has no items left. */
export const findNextPossibleMatch = async (
  db: Database,
  terms: readonly Term[],
  before: LocalTime,
): Promise<LocalTime | undefined> => {
  const times = await Promise.all(terms.map((term) => findNewestTime(db, term, before)));
  return times.includes(undefined) ? undefined : times.map((time) => time ?? '').toSorted()[0];
};

const findNewestTime = async (db: Database, term: Term, before: LocalTime) => {
  const { rows } = await sql<Pick<Found, 'localTime'>>`
    select local_time as "localTime" from (
      ${selectNewest(term, anyTime, 1, { localTime: before, id: lastId })}) as postings
    order by local_time desc limit 1`.execute(db);
  return rows[0]?.localTime;
};

/** `intersectRemaining` probes a term with more than this many times the items of the leading term. */
const maxReadRatio = 20;

/** Returns the newest `limit` matches after the cursor, with score 0. Reading 400,000 postings takes 0.3 s. */
export const intersectRemaining = async (
  db: Database,
  terms: readonly Term[],
  leading: Term,
  spans: readonly Span[],
  after: Cursor,
  limit: number,
): Promise<Found[]> => {
  const isRead = (term: Term) => term === leading || getEstimate(term) <= maxReadRatio * getEstimate(leading);
  const readTerms = terms.filter(isRead);
  const postingsOfTerms = readTerms.map(
    (term, index) => sql`
      select distinct ${index}::int as term, media_item_id as id, local_time from (${selectNewest(term, spans, null, after)}) as postings`,
  );
  const probes = terms.filter((term) => !isRead(term)).map(matchesTerm);
  const { rows } = await sql<Found>`
    select id, local_time as "localTime", 0 as score from (
      select id, local_time from (${sql.join(postingsOfTerms, sql` union all `)}) as postings
      group by 1, 2 having count(*) = ${readTerms.length} order by 2 desc, 1 desc offset 0
    ) as candidates where ${sql.join([sql`true`, ...probes], sql` and `)}
    order by 2 desc, 1 desc limit ${limit}`.execute(db);
  return rows;
};

/**
 * Builds the query that matches and scores candidates. `candidates` selects `id` and `local_time`. The query returns every
 * candidate, with `matched.score` null unless all terms match. The caller appends `where` and `order by`.
 */
const matchCandidates = (
  candidates: RawBuilder<unknown>,
  terms: readonly Term[],
  leading: Term | undefined,
  spans: readonly Span[],
): RawBuilder<unknown> => {
  const lists = terms.flatMap((term, index) => term.map((list) => ({ ...list, term: index })));
  const others = [...terms.keys()].filter((index) => terms[index] !== leading);
  const prefetched = leading === undefined ? [] : others.filter((index) => canPrefetch(terms[index]!, leading, spans));
  const conditions = others.map((index) =>
    prefetched.includes(index)
      ? sql`candidates.id in (select media_item_id from ${prefetchedName(index)})`
      : matchesTerm(terms[index]!),
  );
  // Filters score 0: their lists are needed for a prefetch only.
  const scored = lists.filter(({ score }) => score > 0);
  const usedLists = lists.filter(({ term, score }) => score > 0 || prefetched.includes(term));
  const hitsInProperties = scored.flatMap(({ term, score, property }) =>
    property === null
      ? []
      : sql` union all
      select ${term}::int, ${score}::float8 from media_items as item where item.id = candidates.id and ${hasProperty(property.name)}`,
  );
  return sql`
    with candidates as materialized (${candidates}), lists as materialized (
      select * from unnest(${usedLists.map(({ term }) => term)}::int[], ${usedLists.map(({ wordId }) => wordId)}::bigint[],
        ${usedLists.map(({ collectionId }) => collectionId)}::uuid[], ${usedLists.map(({ score }) => score)}::float8[])
        as list (term, word_id, collection_id, score)
    )${sql.join(
      prefetched.map((index) => sql`, ${prefetchedName(index)} as materialized (${selectPostingsInRange(index)})`),
      sql``,
    )}
    select id, local_time as "localTime", matched.score, (select count(*) from candidates) as "candidateCount"
    from candidates
    -- One lookup per candidate: the planner cannot estimate their number, and one join of all would be quadratic.
    left join lateral (
      select coalesce((select sum(score) from (
        select max(score) as score from (${hitsInWords} union all ${hitsInCollections}${sql.join(hitsInProperties, sql``)}) as hits
        group by term
      ) as best), 0) as score
      where ${sql.join([sql`true`, ...conditions], sql` and `)}
      offset 0
    ) as matched on true`;
};

const hitsInWords = sql`
  select term, score from (select unnest(word_ids) as word_id from media_item_words where media_item_id = candidates.id) as item_words
  join lists using (word_id)`;

const hitsInCollections = sql`
  select term, score
  from (select collection_id from collection_items where media_item_id = candidates.id) as item_collections
  join lists using (collection_id)`;

/** A term is prefetched if it has at most this many times the items of the leading term. */
const maxPrefetchRatio = 4;

/** Upper limit of items to prefetch, for the worst case that all of them lie in the date range of the candidates. */
const maxPrefetched = 50_000;

/**
 * Requires exact sizes: words are counted up to `maxRanked`. Excludes properties, which `selectPostingsInRange` does not read.
 * Excludes searches by date: their candidates may be years apart, with too many other items in between.
 */
const canPrefetch = (term: Term, leading: Term, spans: readonly Span[]): boolean =>
  spans === anyTime &&
  term.every(({ wordId, property, n }) => property === null && (wordId === null || n < maxRanked)) &&
  getSize(term) <= Math.min(maxPrefetched, maxPrefetchRatio * getSize(leading));

const prefetchedName = (index: number) => sql.ref(`prefetched_${index}`);

const selectPostingsInRange = (index: number) => {
  const inRange = sql`local_time between (select min(local_time) from candidates) and (select max(local_time) from candidates)`;
  return sql`
    select media_item_id from lists
    cross join lateral (
      select media_item_id from search_postings where word_id = lists.word_id and ${inRange}
      union all
      select media_item_id from collection_items where collection_id = lists.collection_id and visibility = 'visible' and ${inRange}
    ) as postings
    where term = ${index}`;
};

/**
 * Builds the condition that a candidate matches a term. Probes only the kinds of list that the term has. Evaluated before
 * scoring: most candidates fail, and finding the matching lists takes ten times as long.
 */
const matchesTerm = (term: Term): RawBuilder<boolean> => {
  const wordIds = term.flatMap(({ wordId }) => wordId ?? []);
  const collectionIds = term.flatMap(({ collectionId }) => collectionId ?? []);
  const properties = term.filter(isOwned).map(({ property }) => hasProperty(property.name));
  const probes: RawBuilder<boolean>[] = [];
  if (wordIds.length > 0)
    probes.push(
      sql`exists (select from media_item_words where media_item_id = candidates.id and word_ids && ${wordIds}::bigint[])`,
    );
  if (collectionIds.length > 0)
    probes.push(sql`exists (
    select from collection_items where media_item_id = candidates.id and collection_id = any(${collectionIds}::uuid[]))`);
  if (properties.length > 0)
    probes.push(
      sql`exists (select from media_items as item where item.id = candidates.id and (${sql.join(properties, sql` or `)}))`,
    );
  return sql`(${sql.join(probes, sql` or `)})`;
};
