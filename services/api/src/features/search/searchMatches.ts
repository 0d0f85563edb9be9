import { sql, type RawBuilder } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { lastId } from '@hearth/core/db/ids.ts';
import type { LocalTime } from '@hearth/core/db/schema.ts';
import type { Span } from './dates/searchDateWords.ts';
import {
  anyTime,
  estimateOf,
  hasProperty,
  isOwned,
  newestOfLists,
  sizeOf,
  type Found,
  type SearchList,
} from './lists/searchList.ts';

/*
 * [Note: Intersecting posting lists] A search is an AND of terms, evaluated over posting lists that are sorted by date.
 *
 * A posting list (`SearchList`) has the items of one indexed word, collection or property, newest first, all with one
 * score. A term is a word of the query, or a filter: it has one or more lists and matches an item in any of them. The
 * leading term (`first`) is the cheapest to read (`costOf` in searchRanked.ts). Candidates are a batch of its items,
 * newest first.
 *
 * 1. Read the next candidates.
 * 2. Intersect: keep those that match every other term. Short terms are prefetched: their items in the date range of
 *    the candidates are read once, then semi-joined. Others are probed: the words, collections and properties of each
 *    candidate are looked up.
 * 3. Score: an item's score is the sum over the terms of their best matching list. Filters score 0.
 * 4. If a batch has no match, skip ahead: `findNextPossibleMatch` returns the newest date that can match.
 * 5. `findFrequent` in searchRanked.ts repeats this. If matches stay rare, it ends with `intersectRemaining`, without
 *    scores.
 */

/** All matches are ranked if the leading term has fewer items than this, otherwise only the newest matches. */
export const maxRanked = 1_000;

export const findByTerm = async (
  db: Database,
  lists: readonly SearchList[],
  spans: readonly Span[],
  limit: number,
): Promise<Found[]> => {
  const { rows } = await sql<Found>`
    select media_item_id as id, local_time as "localTime", max(score) as score from (${newestOfLists(lists, spans, limit)}) as found
    group by 1, 2 order by 3 desc, 2 desc, 1 desc limit ${limit}`.execute(db);
  return rows;
};

const hitsOfWords = sql`
  select position, score from (select unnest(word_ids) as word from media_item_words where media_item_id = candidates.id) as has
  join lists using (word)`;

const hitsOfCollections = sql`
  select position, score
  from (select collection_id as collection from collection_items where media_item_id = candidates.id) as has
  join lists using (collection)`;

/** A term is prefetched if it has at most this many times the items of the leading term. */
const maxReadBeside = 4;

/** Upper limit of items to prefetch, for the worst case that all of them lie in the date range of the candidates. */
const maxItemsBeside = 50_000;

/**
 * Requires exact sizes: words are counted up to `maxRanked`. Excludes properties, which `itemsBeside` does not read,
 * and searches by date, whose candidates may be years apart.
 */
const isReadBeside = (lists: readonly SearchList[], first: readonly SearchList[], spans: readonly Span[]): boolean =>
  spans === anyTime &&
  lists.every(({ wordId, property, n }) => property === null && (wordId === null || n < maxRanked)) &&
  sizeOf(lists) <= Math.min(maxItemsBeside, maxReadBeside * sizeOf(first));

/** Name of a prefetch in the statement. */
const besideOf = (position: number) => sql.ref(`beside_${position}`);

/** Builds the prefetch of a term within the date range of the candidates. */
const itemsBeside = (position: number) => {
  const within = sql`local_time between (select min(local_time) from candidates) and (select max(local_time) from candidates)`;
  return sql`
    select media_item_id from lists
    cross join lateral (
      select media_item_id from search_postings where word_id = lists.word and ${within}
      union all
      select media_item_id from collection_items where collection_id = lists.collection and visibility = 'visible' and ${within}
    ) as found
    where position = ${position}`;
};

/**
 * Builds the condition that a candidate matches a term. Probes only the kinds of list that the term has. Evaluated
 * before scoring: most candidates fail, and finding the matching lists takes ten times as long.
 */
const hasWord = (lists: readonly SearchList[]): RawBuilder<boolean> => {
  const wordIds = lists.flatMap(({ wordId }) => wordId ?? []);
  const collectionIds = lists.flatMap(({ collectionId }) => collectionId ?? []);
  const properties = lists.filter(isOwned).map(({ property }) => hasProperty(property.name));
  const ways: RawBuilder<boolean>[] = [];
  if (wordIds.length > 0)
    ways.push(
      sql`exists (select from media_item_words where media_item_id = candidates.id and word_ids && ${wordIds}::bigint[])`,
    );
  if (collectionIds.length > 0)
    ways.push(sql`exists (
    select from collection_items where media_item_id = candidates.id and collection_id = any(${collectionIds}::uuid[]))`);
  if (properties.length > 0)
    ways.push(
      sql`exists (select from media_items as item where item.id = candidates.id and (${sql.join(properties, sql` or `)}))`,
    );
  return sql`(${sql.join(ways, sql` or `)})`;
};

/**
 * Builds the query that matches and scores candidates. `candidates` selects `id` and `local_time`. The query returns
 * every candidate, with `matched.score` null unless all terms match. The caller appends `where` and `order by`.
 */
const matchCandidates = (
  candidates: RawBuilder<unknown>,
  words: readonly (readonly SearchList[])[],
  first: readonly SearchList[] | undefined,
  spans: readonly Span[],
): RawBuilder<unknown> => {
  const lists = words.flatMap((ofWord, position) => ofWord.map((list) => ({ ...list, position })));
  // Filters score 0. Their lists are needed for a prefetch only.
  const scored = lists.filter(({ score }) => score > 0);
  const others = [...words.keys()].filter((position) => words[position] !== first);
  const beside = first === undefined ? [] : others.filter((position) => isReadBeside(words[position]!, first, spans));
  const named = lists.filter(({ position, score }) => score > 0 || beside.includes(position));
  const conditions = others.map((position) =>
    beside.includes(position)
      ? sql`candidates.id in (select media_item_id from ${besideOf(position)})`
      : hasWord(words[position]!),
  );
  const hitsOfProperties = scored.flatMap(({ position, score, property }) =>
    property === null
      ? []
      : sql` union all
      select ${position}::int, ${score}::float8 from media_items as item where item.id = candidates.id and ${hasProperty(property.name)}`,
  );
  return sql`
    with candidates as materialized (${candidates}), lists as materialized (
      select * from unnest(${named.map(({ position }) => position)}::int[], ${named.map(({ wordId }) => wordId)}::bigint[],
        ${named.map(({ collectionId }) => collectionId)}::uuid[], ${named.map(({ score }) => score)}::float8[])
        as list (position, word, collection, score)
    )${sql.join(
      beside.map((position) => sql`, ${besideOf(position)} as materialized (${itemsBeside(position)})`),
      sql``,
    )}
    select id, local_time as "localTime", matched.score, (select count(*) from candidates) as looked
    from candidates
    -- Lateral, one lookup per candidate: the planner misjudges the number of candidates, and its join would take quadratic time.
    left join lateral (
      select coalesce((select sum(score) from (
        select max(score) as score from (${hitsOfWords} union all ${hitsOfCollections}${sql.join(hitsOfProperties, sql``)}) as hits
        group by position
      ) as best), 0) as score
      where ${sql.join([sql`true`, ...conditions], sql` and `)}
      offset 0
    ) as matched on true`;
};

/**
 * Reads the next `size` candidates and returns those that match all terms, newest first. `last` is the position for the
 * next call, or undefined if the leading term has no items left.
 */
export const matchNextBatch = async (
  db: Database,
  words: readonly (readonly SearchList[])[],
  first: readonly SearchList[],
  spans: readonly Span[],
  size: number,
  behind: Pick<Found, 'localTime' | 'id'> | undefined,
): Promise<{ readonly matches: Found[]; readonly last: Found | undefined }> => {
  const candidates = sql`
    select media_item_id as id, local_time from (${newestOfLists(first, spans, size, behind)}) as newest
    group by 1, 2 order by 2 desc, 1 desc limit ${size}`;
  const { rows } = await sql<Found & { readonly score: number | null; readonly looked: number }>`
    ${matchCandidates(candidates, words, first, spans)}
    where matched.score is not null or id = (select id from candidates order by local_time, id limit 1)
    order by local_time desc, id desc`.execute(db);
  const last = rows.at(-1);
  const matches = rows.flatMap(({ id, localTime, score }) => (score === null ? [] : [{ id, localTime, score }]));
  return { matches, last: last?.looked === size ? last : undefined };
};

/** Returns the user's visible items among `ids` that match all terms and lie in one of the spans, in no order. */
export const matchIds = async (
  db: Database,
  userId: string,
  ids: readonly string[],
  words: readonly (readonly SearchList[])[],
  spans: readonly Span[] = anyTime,
): Promise<Found[]> => {
  if (ids.length === 0 || words.some((lists) => lists.length === 0)) return [];
  const candidates = sql`
    select id, local_time from media_items
    where id = any(${ids}::uuid[]) and user_id = ${userId} and visibility = 'visible' and exists (
      select from unnest(${spans.map(({ from }) => from)}::timestamp[], ${spans.map(({ until }) => until)}::timestamp[]) as span (since, until)
      where local_time >= since and local_time < until)`;
  const { rows } = await sql<Found>`
    ${matchCandidates(candidates, words, undefined, spans)} where matched.score is not null`.execute(db);
  return rows.map(({ id, localTime, score }) => ({ id, localTime, score }));
};

/** `intersectRemaining` probes terms with more than this many times the items of the leading term, and reads all others. */
const maxReadWhole = 20;

/** Returns the newest `limit` matches after a position, with score 0. Reading 400,000 items takes 0.3 s. */
export const intersectRemaining = async (
  db: Database,
  words: readonly (readonly SearchList[])[],
  first: readonly SearchList[],
  spans: readonly Span[],
  behind: Pick<Found, 'localTime' | 'id'>,
  limit: number,
): Promise<Found[]> => {
  const isRead = (lists: readonly SearchList[]) =>
    lists === first || estimateOf(lists) <= maxReadWhole * estimateOf(first);
  const read = words.filter(isRead);
  const itemsOfWords = read.map(
    (lists, position) => sql`
      select distinct ${position}::int as position, media_item_id as id, local_time from (${newestOfLists(lists, spans, null, behind)}) as found`,
  );
  const conditions = words.filter((lists) => !isRead(lists)).map(hasWord);
  const { rows } = await sql<Found>`
    select id, local_time as "localTime", 0 as score from (
      select id, local_time from (${sql.join(itemsOfWords, sql` union all `)}) as found
      group by 1, 2 having count(*) = ${read.length} order by 2 desc, 1 desc offset 0
    ) as candidates where ${sql.join([sql`true`, ...conditions], sql` and `)}
    order by 2 desc, 1 desc limit ${limit}`.execute(db);
  return rows;
};

/** Returns the newest date, up to `before`, that can match. Undefined if a term has no items left. */
export const findNextPossibleMatch = async (
  db: Database,
  words: readonly (readonly SearchList[])[],
  before: LocalTime,
): Promise<LocalTime | undefined> => {
  const times = await Promise.all(words.map((lists) => findNewestTime(db, lists, before)));
  return times.includes(undefined) ? undefined : times.map((time) => time ?? '').toSorted()[0];
};

const findNewestTime = async (db: Database, lists: readonly SearchList[], before: LocalTime) => {
  const { rows } = await sql<Pick<Found, 'localTime'>>`
    select local_time as "localTime" from (
      ${newestOfLists(lists, anyTime, 1, { localTime: before, id: lastId })}) as newest
    order by local_time desc limit 1`.execute(db);
  return rows[0]?.localTime;
};
