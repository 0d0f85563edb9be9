import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import type { Features, LocalTime } from '@hearth/core/db/schema.ts';
import { estimateSize, fieldScores, listFields, type Field, type SearchList } from './searchList.ts';
import { findPropertyLists, findProperty } from './searchProperties.ts';
import { allowedEdits, countEdits } from './searchTypos.ts';

/** Maximum number of library words that a query word matches as a prefix. */
const maxWordsPerWord = 100;

/** Maximum number of words with a prefix to examine. Some may occur only in invisible items. */
const maxSeenPerWord = 20_000;

/** Maximum number of similar words to compare by edit distance. */
const maxSimilarWords = 500;

/** Maximum number of names with the same word that a query word finds. */
const maxNamesPerWord = 2_000;

/** Minimum length for prefix matches. Years never match as prefixes, because hundreds of filenames start with one. */
const minPrefixLength = 3;

/** Maximum stored length of two joined words, in characters, as in find_read_words. */
const maxPairLength = 40;

/** Fields that also store pairs of words as one. */
const pairedFields: ReadonlySet<Field> = new Set(['t', 'p']);

/** Score factors by quality of the match. */
const exactScore = 1;
const prefixScore = 0.6;
const typoScores = [1, 0.3, 0.15] as const;

/** Score of a property word: the same as in a filename, so that videos do not come first because of their name. */
const propertyScore = 100 * fieldScores.f;

interface FoundWord {
  readonly position: number;
  readonly id: number;
  readonly word: string;
  readonly field: Field;
  readonly collectionId: string | null;
  readonly n: number;
  readonly newest: LocalTime;
  /** Local time of the oldest counted item. */
  readonly oldest: LocalTime | null;
}

/** The user and fields to search. */
interface Scope {
  readonly userId: string;
  readonly fields: readonly Field[];
  /** Maximum number of items to count per word. */
  readonly countTo: number;
}

/**
 * Finds the posting lists of each word in the features that are on. Words without matches that are not part of a date
 * are treated as typos, or exactly those in `mistyped` if given.
 */
export const findSearchLists = async (
  db: Database,
  { userId, features }: { readonly userId: string; readonly features: Features },
  words: readonly string[],
  {
    countTo,
    isDate,
    oldest,
    mistyped: givenTypos,
  }: {
    readonly countTo: number;
    readonly isDate: (position: number) => boolean;
    readonly oldest: LocalTime | null;
    readonly mistyped?: readonly number[] | undefined;
  },
): Promise<{ readonly lists: SearchList[][]; readonly mistyped: readonly number[] }> => {
  const scope = { userId, fields: listFields(features), countTo };
  const lists: SearchList[][] = words.map(() => []);
  const addList = (found: FoundWord, factor: number): void => {
    const { position, id, word, field, collectionId, n, newest } = found;
    lists[position]!.push({
      wordId: collectionId === null ? id : null,
      collectionId,
      property: null,
      word,
      field,
      score: Math.round(100 * fieldScores[field] * factor),
      n,
      estimate: collectionId === null && n === countTo ? estimateSize(found, oldest ?? newest) : n,
      newest,
    });
  };
  const pairs = words.slice(1).map((word, first) =>
    Array.from(words[first]! + word)
      .slice(0, maxPairLength)
      .join(''),
  );
  for (const found of await findWritten(db, scope, words, pairs)) {
    const { position, word } = found;
    if (position < words.length) addList(found, word === words[position] ? exactScore : prefixScore);
    else {
      const first = position - words.length;
      // An item with the pair contains both words.
      for (const each of [first, first + 1])
        addList({ ...found, position: each }, word === pairs[first] ? exactScore : prefixScore);
    }
  }
  const properties = words.map((word) => findProperty(word, features));
  const propertyNames = [...new Set(properties.filter((name) => name !== undefined))];
  const propertyLists = await findPropertyLists(db, userId, propertyNames, { countTo, score: propertyScore, oldest });
  for (const [position, name] of properties.entries()) {
    const list = name && propertyLists.get(name);
    if (list !== undefined) lists[position]!.push(list);
  }
  const missing = [...words.keys()].filter((position) => lists[position]!.length === 0);
  const mistyped = givenTypos ?? missing.filter((position) => !isDate(position) && allowedEdits(words[position]!) > 0);
  if (mistyped.length === 0) return { lists, mistyped };
  for (const { edits, ...found } of await findMistyped(db, scope, words, mistyped)) {
    addList(found, typoScores[edits] ?? 0);
  }
  return { lists, mistyped };
};

/**
 * Finds library words equal to a query word, or starting with it. `maxWordsPerWord` limits only the prefix matches,
 * because hundreds of albums may share a word. Positions after the words are those of `pairs`: two adjacent words
 * without the space. The space may be missing in text in pictures, and in place names such as Machupicchu.
 */
const findWritten = async (
  db: Database,
  { userId, fields, countTo }: Scope,
  words: readonly string[],
  pairs: readonly string[],
): Promise<FoundWord[]> => {
  const pairFields = fields.filter((field) => pairedFields.has(field));
  const isInScope = sql`user_id = ${userId} and field = any(case when requested.position > ${words.length} then ${pairFields}::text[] else ${fields}::text[] end)`;
  const { rows } = await sql<FoundWord>`
    select requested.position - 1 as position, ${selectWordColumns}
    from unnest(${[...words, ...pairs]}::text[]) with ordinality as requested (word, position)
    cross join lateral (
      (select known.*, newest.local_time as newest from search_words as known ${joinNewestItem}
        where ${isInScope} and word = requested.word order by id limit ${maxNamesPerWord})
      union all
      (select known.*, newest.local_time as newest from (
          select * from search_words
          where ${isInScope} and word > requested.word and word <= requested.word || chr(1114111)
            and length(requested.word) >= ${minPrefixLength} and requested.word !~ '^[0-9]{4}$'
          order by word, id limit ${maxSeenPerWord}
        ) as known ${joinNewestItem}
        order by word, id limit ${maxWordsPerWord})
    ) as known ${joinCount(countTo)}`.execute(db);
  return rows;
};

/** Finds library words similar to the query words at `positions`, with the number of edits. */
const findMistyped = async (
  db: Database,
  { userId, fields, countTo }: Scope,
  words: readonly string[],
  positions: readonly number[],
): Promise<(FoundWord & { readonly edits: number })[]> => {
  // Candidates share an edit (`find_search_edits`). Uses the index of edits alone: edits differ per user, and a user
  // has very many words.
  const { rows: candidates } = await sql<{ position: number; id: number; word: string }>`
    select requested.position, similar_words.*
    from unnest(${positions}::int[], ${positions.map((position) => words[position]!)}::text[]) as requested (position, word)
    cross join lateral (
      select id, word from search_words
      where edits && find_search_edits(${userId}, requested.word) and user_id is not distinct from ${userId}::uuid
        and field = any(${fields}::text[]) and abs(length(word) - length(requested.word)) <= 2
      order by abs(length(word) - length(requested.word)), word, id limit ${maxSimilarWords}
    ) as similar_words`.execute(db);
  const mistyped = candidates
    .map(({ position, id, word }) => ({ position, id, edits: countEdits(word, words[position]!) }))
    .filter(({ position, edits }) => edits <= allowedEdits(words[position]!));
  if (mistyped.length === 0) return [];
  const { rows } = await sql<FoundWord & { readonly edits: number }>`
    select requested.position, requested.edits, ${selectWordColumns}
    from unnest(${mistyped.map(({ position }) => position)}::int[], ${mistyped.map(({ edits }) => edits)}::int[],
      ${mistyped.map(({ id }) => id)}::bigint[]) as requested (position, edits, id)
    cross join lateral (
      select known.*, newest.local_time as newest from search_words as known ${joinNewestItem} where known.id = requested.id
    ) as known ${joinCount(countTo)}`.execute(db);
  return rows;
};

/** Joins the local time of the newest visible item of `known`, a row of `search_words`. Drops words without one. */
export const joinNewestItem = sql`
  cross join lateral (
    (select local_time from search_postings where known.collection_id is null and word_id = known.id
      order by local_time desc, media_item_id desc limit 1)
    union all
    (select local_time from collection_items where collection_id = known.collection_id and visibility = 'visible'
      order by local_time desc, media_item_id desc limit 1)
  ) as newest`;

/** The count of a collection comes from `collections.item_count`. */
export const selectWordColumns = sql`
  known.id, known.word, known.field, known.collection_id as "collectionId", known.newest, counted.oldest,
  case when known.collection_id is null then counted.n
    else coalesce((select item_count from collections where id = known.collection_id), 0)
  end as n`;

export const joinCount = (countTo: number) => sql`
  cross join lateral (
    select count(*) as n, min(local_time) as oldest from (
      select local_time from search_postings where known.collection_id is null and word_id = known.id
      order by local_time desc, media_item_id desc limit ${countTo}
    ) as found
  ) as counted`;
