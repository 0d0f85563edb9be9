import { sql } from 'kysely';
import { searchIdFilters, type SearchFilters } from '@hearth/contract/searchFilters.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { Features, LocalTime } from '@hearth/core/db/schema.ts';
import type { Span } from '../dates/searchDateWords.ts';
import { estimateSize, type Property, type SearchList } from './searchList.ts';
import { selectWordColumns, joinCount, joinNewestItem } from './searchLists.ts';
import { findPropertyLists } from './searchProperties.ts';

/**
 * Filters by collection, in the order in which a response lists its reasons. With `isEach`, an item must be in every named
 * collection, otherwise in one of them.
 */
const collectionFilters = [
  { kind: 'person', isEach: true },
  { kind: 'thing', isEach: true },
  { kind: 'place', isEach: false },
  { kind: 'album', isEach: false },
] as const;

/**
 * Returns the terms of the filters, each a list of posting lists with score 0. A term without lists matches nothing:
 * collections of other users and switched-off features have none. Hidden collections have lists, because the filter names
 * them by id.
 */
export const findFilterLists = async (
  db: Database,
  { userId, features }: { readonly userId: string; readonly features: Features },
  filters: SearchFilters,
  { countTo, oldest }: { readonly countTo: number; readonly oldest: LocalTime | null },
): Promise<SearchList[][]> => {
  const properties: Property[] = [];
  if (filters.type !== undefined) properties.push(filters.type);
  if (filters.category !== undefined) properties.push(filters.category);
  if (filters.favourite !== undefined) properties.push(filters.favourite ? 'FAVOURITE' : 'NOT_FAVOURITE');
  // As with collections, switched-off features find nothing.
  const isOff = filters.favourite !== undefined && features.favourites === false;
  const owned = await findPropertyLists(db, userId, isOff ? [] : properties, { countTo, score: 0, oldest });
  return [
    ...(await findCollections(db, userId, features, filters)),
    ...(filters.camera === undefined ? [] : await findCamera(db, userId, filters.camera, countTo, oldest)),
    ...properties.map((name) => [owned.get(name)].filter((list) => list !== undefined)),
  ];
};

const findCollections = async (
  db: Database,
  userId: string,
  features: Features,
  filters: SearchFilters,
): Promise<SearchList[][]> => {
  const requested = collectionFilters.flatMap((filter) => {
    const name = searchIdFilters[filter.kind];
    const ids = filters[name];
    return ids === undefined ? [] : [{ ...filter, ids: features[name] === false ? [] : ids }];
  });
  const ids = requested.flatMap((filter) => filter.ids);
  if (ids.length === 0) return requested.map(() => []);
  const { rows } = await sql<{ id: string; kind: string; n: number; newest: LocalTime }>`
    select id, kind, item_count as n, newest.local_time as newest from collections
    cross join lateral (
      select local_time from collection_items where collection_id = collections.id and visibility = 'visible'
      order by local_time desc, media_item_id desc limit 1
    ) as newest
    where id = any(${ids}::uuid[]) and user_id = ${userId}`.execute(db);
  return requested.flatMap(({ ids: wanted, kind, isEach }) => {
    const lists = wanted.map((id) =>
      rows.filter((row) => row.id === id && row.kind === kind).map(({ n, newest }) => collectionList(id, n, newest)),
    );
    return isEach && lists.length > 0 ? lists : [lists.flat()];
  });
};

const collectionList = (collectionId: string, n: number, newest: LocalTime): SearchList => ({
  ...unscored,
  collectionId,
  n,
  estimate: n,
  newest,
});

const unscored = { wordId: null, collectionId: null, property: null, word: null, field: null, score: 0 } as const;

/** Returns one term per word of `camera`, with the posting lists of that word in the make or model of a camera. */
const findCamera = async (
  db: Database,
  userId: string,
  camera: string,
  countTo: number,
  oldest: LocalTime | null,
): Promise<SearchList[][]> => {
  const { rows } = await sql<{ position: number } & CameraWord>`
    select requested.position, found.* from unnest(split_search_words(${camera})) with ordinality as requested (word, position)
    left join lateral (
      select ${selectWordColumns} from (
        select known.*, newest.local_time as newest from search_words as known ${joinNewestItem}
        where known.user_id = ${userId} and known.field = 'c' and known.word = left(requested.word, 40)
      ) as known ${joinCount(countTo)}
    ) as found on true`.execute(db);
  const lists = [...Map.groupBy(rows, ({ position }) => position).values()].map((wordRows) =>
    wordRows.flatMap(({ id, word, n, newest, oldest: counted }): SearchList[] => {
      if (id === null) return [];
      const estimate = n === countTo ? estimateSize({ n, newest, oldest: counted }, oldest ?? newest) : n;
      return [{ ...unscored, wordId: id, word, field: 'c', n, estimate, newest }];
    }),
  );
  return lists.length === 0 ? [[]] : lists;
};

interface CameraWord {
  readonly id: number | null;
  readonly word: string;
  readonly n: number;
  readonly newest: LocalTime;
  readonly oldest: LocalTime | null;
}

/** Returns the span from `from` to `to`, if given. */
export const toSpan = ({ from, to }: SearchFilters): Span | undefined =>
  from === undefined && to === undefined
    ? undefined
    : {
        from: from === undefined ? '-infinity' : `${from}T00:00:00`,
        until: to === undefined ? 'infinity' : dayAfter(to),
      };

const dayAfter = (day: string): LocalTime => {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString();
  // After the year 9999, JavaScript writes years with a sign, which PostgreSQL does not read.
  return next.startsWith('+') ? 'infinity' : next.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
};

/** Intersects spans with another one. As text, `-infinity` sorts before all times and `infinity` after them. */
export const intersect = (spans: readonly Span[], within: Span): Span[] =>
  spans
    .map(({ from, until }) => ({
      from: from > within.from ? from : within.from,
      until: until < within.until ? until : within.until,
    }))
    .filter(({ from, until }) => from < until);
