import { sql, type RawBuilder } from 'kysely';
import type { MediaItemCategory, MediaItemType } from '@hearth/contract/vocabulary.ts';
import { firstId, lastId } from '@hearth/core/db/ids.ts';
import type { Features, LocalTime } from '@hearth/core/db/schema.ts';
import type { Span } from '../dates/searchDateWords.ts';

/*
 * Lists of items, newest first, of which a search is made, and how they are read in SQL.
 */

/** An item that was found, and when it was taken. */
export interface Found {
  readonly id: string;
  readonly localTime: LocalTime;
  readonly score: number;
}

/**
 * What a word counts by where it was found: a name that somebody has given says the most, of an album (`a`), a thing (`o`) or a person
 * (`i`); then places, file names, descriptions, cameras and text in pictures.
 */
export const fieldScores = { a: 10, o: 10, i: 10, p: 9, f: 8, d: 6, c: 4, t: 3 } as const;
export type Field = keyof typeof fieldScores;

/** The feature that the user must have switched on to find items by words of a field. */
const featureOfField: Partial<Record<Field, keyof Features>> = { a: 'albums', o: 'things', i: 'people', p: 'places' };

/** The fields by whose words a user finds items. */
export const fieldsOf = (features: Features): Field[] =>
  (Object.keys(fieldScores) as Field[]).filter((field) => {
    const feature = featureOfField[field];
    return feature === undefined || features[feature] !== false;
  });

/** What items are by themselves, besides their words and collections. */
export type Property = 'FAVOURITE' | 'NOT_FAVOURITE' | MediaItemType | MediaItemCategory;

/** Items that a word of the query or a filter finds, in one order, newest first: those with a word, of a collection, or with a property. */
export interface SearchList {
  readonly wordId: number | null;
  readonly collectionId: string | null;
  readonly property: OwnProperty | null;
  /** The word of the library, and where it stands; none of a property, and where a filter names a collection. */
  readonly word: string | null;
  readonly field: Field | null;
  /** A whole number, so that sums of several are the same in every order; 0 of a filter. */
  readonly score: number;
  /** How many items the list has. Of a collection, changes of the last seconds may be missing; of others, at most `countTo` items are counted. */
  readonly n: number;
  /** About how many items the list has, where not all of them were counted. */
  readonly estimate: number;
  readonly newest: LocalTime;
}

/** A property of items of one user. */
export interface OwnProperty {
  readonly name: Property;
  readonly userId: string;
}

/** For a reading without dates; known by being this very array. */
export const anyTime: readonly Span[] = [{ from: '-infinity', until: 'infinity' }];

export const sizeOf = (lists: readonly SearchList[]): number => lists.reduce((sum, { n }) => sum + n, 0);

export const estimateOf = (lists: readonly SearchList[]): number =>
  lists.reduce((sum, { estimate }) => sum + estimate, 0);

export const newestTimeOf = (lists: readonly SearchList[]): LocalTime =>
  lists.map(({ newest }) => newest).reduce((a, b) => (a > b ? a : b));

/** Whether a row of `media_items` has a property; in SQL. As literals, so that the planner knows which index has such items alone. */
export const hasProperty = (name: Property): RawBuilder<boolean> => {
  if (name === 'FAVOURITE') return sql`is_favourite`;
  if (name === 'NOT_FAVOURITE') return sql`not is_favourite`;
  return isType(name) ? sql`type = ${sql.lit(name)}` : sql`category = ${sql.lit(name)}`;
};

const isType = (name: string): name is MediaItemType => name === 'PHOTO' || name === 'VIDEO' || name === 'UNKNOWN';

/** One bound only: of two, PostgreSQL may begin at either, and reads all that lies between them. */
const pageBy = (id: RawBuilder<unknown>) => sql`
  local_time >= since and (local_time, ${id}) < (until_time, until_id) order by local_time desc, ${id} desc limit size`;

/** The newest `limit` items of each list in each span, behind a position, with the score of the list; in SQL. */
export const newestOfLists = (
  lists: readonly SearchList[],
  spans: readonly Span[],
  limit: number | null,
  behind: Pick<Found, 'localTime' | 'id'> = { localTime: 'infinity', id: lastId },
): RawBuilder<unknown> => {
  // Hidden from the planner, which else makes a new plan for every search.
  const asked = (of: readonly SearchList[]) => sql`(
    select ${limit}::bigint as size, ${of.map(({ wordId }) => wordId)}::bigint[] as words,
      ${of.map(({ collectionId }) => collectionId)}::uuid[] as collections, ${of.map(({ score }) => score)}::float8[] as scores,
      ${of.map(({ property }) => property?.userId ?? null)}::uuid[] as owners,
      ${spans.map(({ from }) => from)}::timestamp[] as froms, ${spans.map(({ until }) => until)}::timestamp[] as untils,
      ${behind.localTime}::timestamp as behind_time, ${behind.id}::uuid as behind_id
    offset 0
  ) as asked
  cross join lateral unnest(words, collections, scores, owners) as list (word, collection, score, owner)
  cross join lateral (
    select since, least(until, behind_time) as until_time,
      case when until <= behind_time then ${firstId}::uuid else behind_id end as until_id
    from unnest(froms, untils) as span (since, until)
  ) as span`;
  const [named, owned] = [lists.filter(({ property }) => property === null), lists.filter(isOwned)];
  const page = pageBy(sql`media_item_id`);
  const parts = owned.map(
    (list) => sql`
    select id as media_item_id, local_time, score from ${asked([list])}
    cross join lateral (
      select id, local_time from media_items
      where user_id = owner and visibility = 'visible' and ${hasProperty(list.property.name)} and ${pageBy(sql`id`)}
    ) as newest`,
  );
  if (named.length > 0 || parts.length === 0) {
    parts.unshift(sql`
    select media_item_id, local_time, score from ${asked(named)}
    cross join lateral (
      (select media_item_id, local_time from search_postings where word_id = list.word and ${page})
      union all
      (select media_item_id, local_time from collection_items
        where collection_id = list.collection and visibility = 'visible' and ${page})
    ) as newest`);
  }
  return sql.join(parts, sql` union all `);
};

/** Whether a list is of a property. */
export const isOwned = (list: SearchList): list is SearchList & { readonly property: OwnProperty } =>
  list.property !== null;

/** How many items a list has if all the years since the library's `oldest` item are as full of them as those of the newest `n` were. */
export const estimateSize = (
  { n, newest, oldest: counted }: { readonly n: number; readonly newest: LocalTime; readonly oldest: LocalTime | null },
  oldest: LocalTime,
): number => {
  const [total, seen] = [oldest, counted ?? newest].map((since) => Date.parse(`${newest}Z`) - Date.parse(`${since}Z`));
  return n * Math.max(1, total! / Math.max(1, seen!));
};
