import { sql } from 'kysely';
import type { searchReasonKinds } from '@hearth/contract/vocabulary.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import type { Span } from './dates/searchDateWords.ts';
import type { Field, Property, SearchList } from './lists/searchList.ts';
import { foldWord, findSnippet } from './searchSnippets.ts';

/** A reason for a result: a part of the query or filters that matches the item. */
export interface SearchReason {
  readonly kind: (typeof searchReasonKinds)[number];
  /** Folded words of the query. Empty for filters. */
  readonly words: readonly string[];
  /** Id of a person, place, thing or album. */
  readonly id?: string;
  readonly value?: string;
  /** Span of a date. */
  readonly span?: Span;
}

/** Possible reasons: words and filters with their posting lists, and dates with their words. */
export interface Reasoning {
  readonly query: readonly { readonly word: string | undefined; readonly lists: readonly SearchList[] }[];
  readonly dates: readonly { readonly words: readonly string[]; readonly spans: readonly Span[] }[];
  /** Set if the query was read as the start of a filename. */
  readonly named: { readonly beginning: string; readonly words: readonly string[] } | undefined;
  /** Returns the words that matched an item by meaning, if any. */
  readonly semantic: (id: string) => readonly string[] | undefined;
}

/** Maximum number of reasons per item: a word may be in the names of many albums. */
const maxReasons = 20;

const collectionKinds = { album: 'album', thing: 'thing', person: 'person', place: 'place' } as const;

/** Explains each item. Reads only data of these items. */
export const explainItems = async (
  db: Database,
  userId: string,
  items: readonly MediaItemRow[],
  { query, dates, named, semantic }: Reasoning,
): Promise<Map<string, SearchReason[]>> => {
  const hits = await readHits(
    db,
    items,
    query.flatMap(({ lists }) => lists),
  );
  const names = await readNames(db, userId, [...new Set([...hits.values()].flatMap(({ collections }) => collections))]);
  return new Map(
    items.map((item) => {
      const reasons: SearchReason[] = [];
      const hit = hits.get(item.id);
      const add = (reason: Omit<SearchReason, 'words'>, word: string | undefined) => addReason(reasons, reason, word);
      for (const { word, lists } of query) {
        for (const list of lists.toSorted(compareLists)) {
          const reason = createReason(list, item, hit, names);
          if (reason !== undefined) add(reason, word);
        }
      }
      for (const { words, spans } of dates) {
        const span = spans.find(({ from, until }) => from <= item.local_time && item.local_time < until);
        if (span !== undefined)
          reasons.push({ kind: 'date', words, ...(words.length > 0 && { value: words.join(' ') }), span });
      }
      if (named !== undefined && foldWord(item.filename).startsWith(foldWord(named.beginning)))
        for (const word of named.words) add({ kind: 'filename', value: item.filename }, word);
      const semanticWords = semantic(item.id);
      if (semanticWords !== undefined) reasons.push({ kind: 'meaning', words: semanticWords });
      return [item.id, reasons.slice(0, maxReasons)];
    }),
  );
};

/** Highest score first, with a stable order of equal ones. */
const compareLists = (a: SearchList, b: SearchList): number =>
  b.score - a.score || (`${a.collectionId} ${a.wordId}` < `${b.collectionId} ${b.wordId}` ? -1 : 1);

/** Adds a reason, or adds the word to an existing one. */
const addReason = (reasons: SearchReason[], reason: Omit<SearchReason, 'words'>, word: string | undefined): void => {
  const same = reasons.findIndex(
    (each) => each.kind === reason.kind && each.id === reason.id && each.value === reason.value,
  );
  const before = reasons[same]?.words ?? [];
  const words = word === undefined || before.includes(word) ? before : [...before, word];
  if (same === -1) reasons.push({ ...reason, words });
  else reasons[same] = { ...reason, words };
};

const createReason = (
  { wordId, collectionId, property, field, word }: SearchList,
  item: MediaItemRow,
  hit: Hit | undefined,
  names: ReadonlyMap<string, Named>,
): Omit<SearchReason, 'words'> | undefined => {
  if (property !== null) return createPropertyReason(property.name, item);
  if (collectionId !== null) {
    const name = hit?.collections.includes(collectionId) === true ? names.get(collectionId) : undefined;
    return (
      name && { kind: collectionKinds[name.kind], id: collectionId, ...(name.name !== null && { value: name.name }) }
    );
  }
  if (wordId === null || field === null || hit?.words.includes(wordId) !== true) return undefined;
  switch (field) {
    case 'p':
      return hit.place_id === null ? undefined : { kind: 'place', id: hit.place_id, value: placeName(hit, word ?? '') };
    case 'f':
      return { kind: 'filename', value: item.filename };
    case 'c':
      return { kind: 'camera', value: cameraName(item.camera_make, item.camera_model) };
    case 'd':
      return item.description === null
        ? undefined
        : { kind: 'description', value: findSnippet(item.description, word ?? '') };
    case 't':
      return hit.content === null ? undefined : { kind: 'text', value: findSnippet(hit.content, word ?? '') };
    case 'a':
    case 'o':
    case 'i':
      return undefined;
  }
};

const createPropertyReason = (name: Property, item: MediaItemRow): Omit<SearchReason, 'words'> | undefined => {
  if (name === 'FAVOURITE') return item.is_favourite ? { kind: 'favourite' } : undefined;
  if (name === item.type) return { kind: 'type', value: name };
  return name === item.category ? { kind: 'category', value: name } : undefined;
};

/** Returns the place's name, followed by the part that contains the word if different: `Westerland, Germany`. */
const placeName = ({ town, city, state, country }: Hit, word: string): string => {
  const parts = [town, city, state, country].filter((part) => part !== null);
  const part = parts.find((each) => foldWord(each).includes(word));
  return [...new Set([parts[0], part].filter((each) => each !== undefined))].join(', ');
};

/** Matching lists of an item, and the data that its reasons show. */
interface Hit {
  readonly id: string;
  readonly words: readonly number[];
  readonly collections: readonly string[];
  readonly place_id: string | null;
  readonly town: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
  readonly content: string | null;
}

const joinedPlaces = {
  columns: sql`place_id, town, city, state, country`,
  join: sql`left join media_item_places on media_item_places.media_item_id = result.id left join places on places.id = place_id`,
};
const noPlaces = {
  columns: sql`null as place_id, null as town, null as city, null as state, null as country`,
  join: sql``,
};
const joinedTexts = {
  columns: sql`content`,
  join: sql`left join media_item_texts on media_item_texts.media_item_id = result.id`,
};
const noTexts = { columns: sql`null as content`, join: sql`` };

const readHits = async (
  db: Database,
  items: readonly MediaItemRow[],
  lists: readonly SearchList[],
): Promise<Map<string, Hit>> => {
  const wordIds = lists.flatMap(({ wordId }) => wordId ?? []);
  const collectionIds = lists.flatMap(({ collectionId }) => collectionId ?? []);
  if (items.length === 0 || wordIds.length + collectionIds.length === 0) return new Map();
  // Joins only what is needed: planning a join takes longer than reading.
  const has = (field: Field) => lists.some((list) => list.field === field);
  const [places, texts] = [has('p') ? joinedPlaces : noPlaces, has('t') ? joinedTexts : noTexts];
  const { rows } = await sql<Hit>`
    select result.id, array(
        select word::float8 from (select unnest(word_ids) as word from media_item_words where media_item_id = result.id) as item_words
        where word = any(${wordIds}::bigint[])
      ) as words, array(
        select collection_id::text from collection_items
        where media_item_id = result.id and collection_id = any(${collectionIds}::uuid[])
      ) as collections, ${places.columns}, ${texts.columns}
    from unnest(${items.map(({ id }) => id)}::uuid[]) as result (id) ${places.join} ${texts.join}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
};

interface Named {
  readonly id: string;
  readonly kind: keyof typeof collectionKinds;
  readonly name: string | null;
}

const readNames = async (db: Database, userId: string, ids: readonly string[]): Promise<Map<string, Named>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Named>`
    select collections.id, kind, coalesce(albums.name, things.name, people.name, places.name) as name from collections
    left join albums on albums.id = collections.id
    left join things on things.id = collections.id
    left join people on people.id = collections.id
    left join places on places.id = collections.id
    where collections.id = any(${ids}::uuid[]) and collections.user_id = ${userId}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
};

/** Returns a camera's make and model, or only the model if it starts with the make. */
export const cameraName = (make: string | null, model: string | null): string =>
  make === null || model?.toLowerCase().startsWith(make.toLowerCase()) === true
    ? (model ?? '')
    : [make, model].filter((part) => part !== null).join(' ');
