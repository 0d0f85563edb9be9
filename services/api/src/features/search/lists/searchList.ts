import { sql, type RawBuilder } from 'kysely';
import type { MediaItemCategory, MediaItemType } from '@hearth/contract/vocabulary.ts';
import { firstId, lastId } from '@hearth/core/db/ids.ts';
import type { Features, LocalTime } from '@hearth/core/db/schema.ts';
import type { Span } from '../dates/searchDateWords.ts';

/* Posting lists: items of a word, collection or property, newest first, and the SQL to read them. */

/** A matching item with its local time. */
export interface Found {
  readonly id: string;
  readonly localTime: LocalTime;
  readonly score: number;
}

/**
 * Score of a word by the field that contains it. Names of albums (`a`), things (`o`) and people (`i`) count most. Places
 * (`p`), filenames (`f`), descriptions (`d`), cameras (`c`) and text in pictures (`t`) follow.
 */
export const fieldScores = { a: 10, o: 10, i: 10, p: 9, f: 8, d: 6, c: 4, t: 3 } as const;
export type Field = keyof typeof fieldScores;

/** Feature that must be on to search a field. */
const featureByField: Partial<Record<Field, keyof Features>> = { a: 'albums', o: 'things', i: 'people', p: 'places' };

/** Returns the fields that a user can search. */
export const listFields = (features: Features): Field[] =>
  (Object.keys(fieldScores) as Field[]).filter((field) => {
    const feature = featureByField[field];
    return feature === undefined || features[feature] !== false;
  });

/** A property of an item itself, in addition to words and collections. */
export type Property = 'FAVOURITE' | 'NOT_FAVOURITE' | MediaItemType | MediaItemCategory;

/**
 * A posting list of a query word or filter: the items with a word, in a collection or with a property, newest first.
 */
export interface SearchList {
  readonly wordId: number | null;
  readonly collectionId: string | null;
  readonly property: OwnProperty | null;
  /** The library's word and its field. Null for properties, and for collections named by a filter. */
  readonly word: string | null;
  readonly field: Field | null;
  /** An integer, so that sums do not depend on the order. 0 for filters. */
  readonly score: number;
  /** Number of items. Excludes the last seconds' changes for collections, and is at most `countTo` for others. */
  readonly n: number;
  /** Estimated number of items if not all were counted. */
  readonly estimate: number;
  readonly newest: LocalTime;
}

/** A property with the owner of the items. */
export interface OwnProperty {
  readonly name: Property;
  readonly userId: string;
}

/** No date restriction. Compared by identity. */
export const anyTime: readonly Span[] = [{ from: '-infinity', until: 'infinity' }];

export const getSize = (lists: readonly SearchList[]): number => lists.reduce((sum, { n }) => sum + n, 0);

export const getEstimate = (lists: readonly SearchList[]): number =>
  lists.reduce((sum, { estimate }) => sum + estimate, 0);

export const getNewestTime = (lists: readonly SearchList[]): LocalTime =>
  lists.map(({ newest }) => newest).reduce((a, b) => (a > b ? a : b));

/**
 * SQL condition that a row of `media_items` has a property. With literals, so that the planner finds the partial index.
 */
export const hasProperty = (name: Property): RawBuilder<boolean> => {
  if (name === 'FAVOURITE') return sql`is_favourite`;
  if (name === 'NOT_FAVOURITE') return sql`not is_favourite`;
  return isType(name) ? sql`type = ${sql.lit(name)}` : sql`category = ${sql.lit(name)}`;
};

const isType = (name: string): name is MediaItemType => name === 'PHOTO' || name === 'VIDEO' || name === 'UNKNOWN';

/** A single upper bound: with two, PostgreSQL might start at either and read everything in between. */
const pageBy = (id: RawBuilder<unknown>) => sql`
  local_time >= since and (local_time, ${id}) < (until_time, until_id) order by local_time desc, ${id} desc limit size`;

/**
 * Builds a query for the newest `limit` items of each list in each span, after a position, with the score of the list.
 */
export const selectNewest = (
  lists: readonly SearchList[],
  spans: readonly Span[],
  limit: number | null,
  after: Pick<Found, 'localTime' | 'id'> = { localTime: 'infinity', id: lastId },
): RawBuilder<unknown> => {
  // Hides the values from the planner, which would otherwise plan every search again.
  const selectParameters = (of: readonly SearchList[]) => sql`(
    select ${limit}::bigint as size, ${of.map(({ wordId }) => wordId)}::bigint[] as words,
      ${of.map(({ collectionId }) => collectionId)}::uuid[] as collections, ${of.map(({ score }) => score)}::float8[] as scores,
      ${of.map(({ property }) => property?.userId ?? null)}::uuid[] as owners,
      ${spans.map(({ from }) => from)}::timestamp[] as froms, ${spans.map(({ until }) => until)}::timestamp[] as untils,
      ${after.localTime}::timestamp as after_time, ${after.id}::uuid as after_id
    offset 0
  ) as parameters
  cross join lateral unnest(words, collections, scores, owners) as list (word, collection, score, owner)
  cross join lateral (
    select since, least(until, after_time) as until_time,
      case when until <= after_time then ${firstId}::uuid else after_id end as until_id
    from unnest(froms, untils) as span (since, until)
  ) as span`;
  const [named, owned] = [lists.filter(({ property }) => property === null), lists.filter(isOwned)];
  const page = pageBy(sql`media_item_id`);
  const parts = owned.map(
    (list) => sql`
    select id as media_item_id, local_time, score from ${selectParameters([list])}
    cross join lateral (
      select id, local_time from media_items
      where user_id = owner and visibility = 'visible' and ${hasProperty(list.property.name)} and ${pageBy(sql`id`)}
    ) as newest`,
  );
  if (named.length > 0 || parts.length === 0) {
    parts.unshift(sql`
    select media_item_id, local_time, score from ${selectParameters(named)}
    cross join lateral (
      (select media_item_id, local_time from search_postings where word_id = list.word and ${page})
      union all
      (select media_item_id, local_time from collection_items
        where collection_id = list.collection and visibility = 'visible' and ${page})
    ) as newest`);
  }
  return sql.join(parts, sql` union all `);
};

export const isOwned = (list: SearchList): list is SearchList & { readonly property: OwnProperty } =>
  list.property !== null;

/**
 * Estimates the number of items of a list. Assumes that items are as frequent back to the library's `oldest` item as among
 * the newest `n`.
 */
export const estimateSize = (
  { n, newest, oldest: counted }: { readonly n: number; readonly newest: LocalTime; readonly oldest: LocalTime | null },
  oldest: LocalTime,
): number => {
  const [total, seen] = [oldest, counted ?? newest].map((since) => Date.parse(`${newest}Z`) - Date.parse(`${since}Z`));
  return n * Math.max(1, total! / Math.max(1, seen!));
};
