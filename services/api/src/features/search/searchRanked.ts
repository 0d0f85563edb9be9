import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { lastId } from '@hearth/core/db/ids.ts';
import type { LocalTime } from '@hearth/core/db/schema.ts';
import type { Span } from './dates/searchDateWords.ts';
import { compareFound } from './lists/searchFusion.ts';
import { anyTime, getEstimate, getNewestTime, getSize, type Found, type SearchList } from './lists/searchList.ts';
import {
  intersectRemaining,
  findByTerm,
  findNextPossibleMatch,
  matchIds,
  matchNextBatch,
  maxRanked,
} from './searchMatches.ts';

/** If all terms are frequent, this many of the newest matches are ranked. The others follow by date. */
const maxRankedOfFrequent = 30;

/**
 * Number of items of a frequent term to probe, in steps of at least `firstBatchSize`. If matches are rare, all items are
 * read in the end.
 */
const firstBatchSize = 200;
const maxExamined = 4_400;

/** Maximum number of items to probe when results of previous pages are ranked again, with items added since. */
const maxExaminedAgain = 4 * maxExamined;

/** Items of a reading, best first, and the position down to which they are ranked by words. */
export interface Ranked {
  readonly found: readonly Found[];
  readonly rankedTo?: RankedTo | undefined;
}

/** Position in a list of frequent words. Items after it follow by date. */
export type RankedTo = Pick<Found, 'localTime' | 'id'>;

/** Returns the newest `limit` items of a user in the spans. */
export const findByDate = async (
  db: Database,
  userId: string,
  spans: readonly Span[],
  limit: number,
): Promise<Ranked> => {
  const { rows } = await sql<Found>`
    select item.id, item.local_time as "localTime", 0 as score from unnest(${spans.map(({ from }) => from)}::timestamp[], ${spans.map(({ until }) => until)}::timestamp[])
      as span (since, until)
    cross join lateral (
      select id, local_time from media_items
      where user_id = ${userId} and visibility = 'visible' and local_time >= since and local_time < until
      order by local_time desc, id desc limit ${limit}
    ) as item
    group by item.id, item.local_time order by item.local_time desc, item.id desc limit ${limit}`.execute(db);
  return { found: rows };
};

/**
 * Returns the newest `limit` items of a user whose filename has a long number and starts like the query, with all
 * filters and within the spans. Considers only the last `maxRanked` of these filenames in alphabetical order.
 */
export const findByName = async (
  db: Database,
  userId: string,
  query: string,
  limit: number,
  filters: readonly (readonly SearchList[])[],
  spans: readonly Span[] = anyTime,
): Promise<Ranked> => {
  const name = sql`left(fold_search_text(filename), 100) collate "C"`;
  const isFiltered = filters.length > 0 || spans !== anyTime;
  const { rows } = await sql<Found>`
    select id, local_time as "localTime", 0 as score from (
      select id, local_time from media_items, lateral (select left(fold_search_text(${query}), 100) collate "C" as beginning) as folded_query
      where user_id = ${userId} and visibility = 'visible' and has_long_number(filename)
        and ${name} >= beginning and ${name} <= beginning || chr(1114111)
      order by ${name} desc limit ${maxRanked}
    ) as named
    order by 2 desc, 1 desc limit ${isFiltered ? maxRanked : limit}`.execute(db);
  if (!isFiltered) return { found: rows };
  const ids = rows.map(({ id }) => id);
  return { found: (await matchIds(db, userId, ids, filters, spans)).toSorted(compareFound).slice(0, limit) };
};

/**
 * Returns the best `limit` items that match every term within the spans. Pass the `ranking` of the previous pages to
 * keep the order stable: the choice between the two algorithms depends on the number of items.
 */
export const findByWords = async (
  db: Database,
  words: readonly (readonly SearchList[])[],
  spans: readonly Span[] = anyTime,
  limit: number,
  ranking?: { readonly rankedTo?: RankedTo | undefined },
): Promise<Ranked> => {
  const [first, ...others] = words.toSorted((a, b) => estimateCost(a) - estimateCost(b));
  if (first === undefined || words.some((lists) => lists.length === 0)) return { found: [] };
  if (others.length === 0) return { found: await findByTerm(db, first, spans, limit) };
  const isRanked = ranking === undefined ? getSize(first) < maxRanked : ranking.rankedTo === undefined;
  // If the previous pages ranked all items, ranks all again, even if there are more now.
  const sizes = ranking === undefined ? [maxRanked] : [maxRanked, 4 * maxRanked, 16 * maxRanked];
  for (const size of isRanked ? sizes : []) {
    const { matches, last } = await matchNextBatch(db, words, first, spans, size, undefined);
    if (last === undefined) return { found: matches.toSorted(compareFound).slice(0, limit) };
  }
  return findFrequent(db, words, first, spans, limit, ranking?.rankedTo);
};

/**
 * Cost of using a term as the leading one. A term with few items is read completely. For a term with many lists, the
 * newest items of each list are read to find the newest overall. Reading 25 items takes as long as probing one.
 */
const estimateCost = (lists: readonly SearchList[]): number => {
  const size = getSize(lists);
  if (size < maxRanked) return size;
  return getEstimate(lists) * (1 + lists.length / 25);
};

/**
 * Reads the items of the leading term, newest first, and keeps those that match all terms. Continues at least down to
 * `rankedTo`, unless `maxExaminedAgain` is reached first, so that all items above `rankedTo` are ranked again.
 */
const findFrequent = async (
  db: Database,
  words: readonly (readonly SearchList[])[],
  first: readonly SearchList[],
  spans: readonly Span[],
  limit: number,
  rankedTo?: RankedTo,
): Promise<Ranked> => {
  const found: Found[] = [];
  const wanted = Math.max(limit, maxRankedOfFrequent);
  let examined = 0;
  // No match is newer than the newest item of any term.
  let before: LocalTime | undefined = words.map(getNewestTime).toSorted()[0];
  let last: Found | undefined;
  const isRankedAgain = () => rankedTo === undefined || (last !== undefined && isAfter(last, rankedTo));
  while (examined < maxExamined || (!isRankedAgain() && examined < maxExaminedAgain)) {
    // The steps down to the ranked items are the same on every page.
    const size = getNextBatchSize(
      examined,
      found.length,
      found.length < maxRankedOfFrequent ? maxRankedOfFrequent : wanted,
    );
    const step = await matchNextBatch(db, words, first, spans, size, last ?? { localTime: before!, id: lastId });
    found.push(...step.matches);
    examined += size;
    last = step.last;
    if (last === undefined || (found.length >= wanted && isRankedAgain())) break;
    if (step.matches.length > 0) continue;
    before = await findNextPossibleMatch(db, words, last.localTime);
    last =
      before === undefined ? undefined : before < last.localTime ? { ...last, localTime: before, id: lastId } : last;
    if (last === undefined) break;
  }
  const end = rankedTo ?? found[Math.min(maxRankedOfFrequent, found.length) - 1] ?? startPosition;
  if (last !== undefined && found.length < limit) {
    found.push(...(await intersectRemaining(db, words, first, spans, last, limit - found.length)));
  }
  const ranked = found.map(({ id, localTime, score }) => ({
    id,
    localTime,
    score: isAfter({ id, localTime }, end) ? 0 : score,
  }));
  return {
    found: ranked.toSorted(compareFound).slice(0, limit),
    rankedTo: { localTime: end.localTime, id: end.id },
  };
};

const startPosition: RankedTo = { localTime: '9999-12-31T23:59:59', id: lastId };

const isAfter = (item: RankedTo, other: RankedTo): boolean =>
  item.localTime < other.localTime || (item.localTime === other.localTime && item.id < other.id);

/**
 * Returns the size of the next step: enough to find the missing items at the same hit rate, plus a margin. At most
 * three times the items so far, because the hit rate of few items is uncertain.
 */
const getNextBatchSize = (examined: number, found: number, wanted: number): number => {
  const expected = 1.3 * (wanted - found) * (examined / Math.max(found, 1));
  const left = Math.max(firstBatchSize, maxExamined - examined);
  return Math.min(left, Math.max(firstBatchSize, Math.ceil(Math.min(expected, 3 * examined))));
};
