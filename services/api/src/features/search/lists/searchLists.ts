import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import type { Features, LocalTime } from '@hearth/core/db/schema.ts';
import { estimateSize, fieldScores, fieldsOf, type Field, type SearchList } from './searchList.ts';
import { findPropertyLists, propertyOf } from './searchProperties.ts';
import { allowedEdits, countEdits } from './searchTypos.ts';

/** How many words of a library one word of a query may begin. */
const maxWordsPerWord = 100;

/** How many words with this beginning are looked at, since some may stand only in items that are not visible. */
const maxSeenPerWord = 20_000;

/** How many words that look similar are compared letter by letter with one that finds nothing. */
const maxSimilarWords = 500;

/** How many names of a user may have one word in common and all be found by it. */
const maxNamesPerWord = 2_000;

/** Characters from which on a word also finds words that begin with it. Years are excepted: hundreds of file names begin with one. */
const minPrefixLength = 3;

/** Characters of two words in one that are kept, as in find_read_words. */
const maxPairLength = 40;

/** Where two words of a query may stand as one. */
const pairedFields: ReadonlySet<Field> = new Set(['t', 'p']);

/** Factors of the score, by how well a word of the library matches the word of the query. */
const exactScore = 1;
const prefixScore = 0.6;
const typoScores = [1, 0.3, 0.15] as const;

/** What a word counts that says what an item is: as much as in a file name, so that no videos come first because they are called so. */
const propertyScore = 100 * fieldScores.f;

interface FoundWord {
  readonly position: number;
  readonly id: number;
  readonly word: string;
  readonly field: Field;
  readonly collectionId: string | null;
  readonly n: number;
  readonly newest: LocalTime;
  /** The local time of the oldest item that was counted. */
  readonly oldest: LocalTime | null;
}

/** What is searched: a user's words, of these fields. */
interface Scope {
  readonly userId: string;
  readonly fields: readonly Field[];
  /** How far items of a word are counted. */
  readonly countTo: number;
}

/**
 * What each word finds in the features that the user has switched on. A word that finds nothing as it is written, and is no part of a date, is taken
 * for a mistyped one; or those that are named as mistyped, where they are named.
 */
export const findSearchLists = async (
  db: Database,
  { userId, features }: { readonly userId: string; readonly features: Features },
  words: readonly string[],
  {
    countTo,
    isDate,
    oldest,
    mistyped: known,
  }: {
    readonly countTo: number;
    readonly isDate: (position: number) => boolean;
    readonly oldest: LocalTime | null;
    readonly mistyped?: readonly number[] | undefined;
  },
): Promise<{ readonly lists: SearchList[][]; readonly mistyped: readonly number[] }> => {
  const scope = { userId, fields: fieldsOf(features), countTo };
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
      // What has the pair has both of its words.
      for (const each of [first, first + 1])
        addList({ ...found, position: each }, word === pairs[first] ? exactScore : prefixScore);
    }
  }
  const properties = words.map((word) => propertyOf(word, features));
  const asked = [...new Set(properties.filter((name) => name !== undefined))];
  const ofProperties = await findPropertyLists(db, userId, asked, { countTo, score: propertyScore, oldest });
  for (const [position, name] of properties.entries()) {
    const list = name && ofProperties.get(name);
    if (list !== undefined) lists[position]!.push(list);
  }
  const missing = [...words.keys()].filter((position) => lists[position]!.length === 0);
  const mistyped = known ?? missing.filter((position) => !isDate(position) && allowedEdits(words[position]!) > 0);
  if (mistyped.length === 0) return { lists, mistyped };
  for (const { edits, ...found } of await findMistyped(db, scope, words, mistyped)) {
    addList(found, typoScores[edits] ?? 0);
  }
  return { lists, mistyped };
};

/**
 * Finds the words that are equal to a word of the query, and words that begin with it. `maxWordsPerWord` bounds the second kind only, since a hundred
 * albums may have one word in common. The positions behind those of the words are those of `pairs`, two words of the query without the space between:
 * they are looked for where the space may not have been read or written: in the text of pictures, and in names of places, as in Machupicchu.
 */
const findWritten = async (
  db: Database,
  { userId, fields, countTo }: Scope,
  words: readonly string[],
  pairs: readonly string[],
): Promise<FoundWord[]> => {
  const pairFields = fields.filter((field) => pairedFields.has(field));
  const isKnown = sql`user_id = ${userId} and field = any(case when asked.position > ${words.length} then ${pairFields}::text[] else ${fields}::text[] end)`;
  const { rows } = await sql<FoundWord>`
    select asked.position - 1 as position, ${columnsOfKnown}
    from unnest(${[...words, ...pairs]}::text[]) with ordinality as asked (word, position)
    cross join lateral (
      (select known.*, newest.local_time as newest from search_words as known ${withNewest}
        where ${isKnown} and word = asked.word order by id limit ${maxNamesPerWord})
      union all
      (select known.*, newest.local_time as newest from (
          select * from search_words
          where ${isKnown} and word > asked.word and word <= asked.word || chr(1114111)
            and length(asked.word) >= ${minPrefixLength} and asked.word !~ '^[0-9]{4}$'
          order by word, id limit ${maxSeenPerWord}
        ) as known ${withNewest}
        order by word, id limit ${maxWordsPerWord})
    ) as known ${withCounted(countTo)}`.execute(db);
  return rows;
};

/** Words from which those at `positions` may have been mistyped, with how many edits. */
const findMistyped = async (
  db: Database,
  { userId, fields, countTo }: Scope,
  words: readonly string[],
  positions: readonly number[],
): Promise<(FoundWord & { readonly edits: number })[]> => {
  // Words that share an edit (`find_search_edits`). By the index of edits alone: edits differ from user to user, and a user has very many words.
  const { rows: candidates } = await sql<{ position: number; id: number; word: string }>`
    select asked.position, similar_words.*
    from unnest(${positions}::int[], ${positions.map((position) => words[position]!)}::text[]) as asked (position, word)
    cross join lateral (
      select id, word from search_words
      where edits && find_search_edits(${userId}, asked.word) and user_id is not distinct from ${userId}::uuid
        and field = any(${fields}::text[]) and abs(length(word) - length(asked.word)) <= 2
      order by abs(length(word) - length(asked.word)), word, id limit ${maxSimilarWords}
    ) as similar_words`.execute(db);
  const mistyped = candidates
    .map(({ position, id, word }) => ({ position, id, edits: countEdits(word, words[position]!) }))
    .filter(({ position, edits }) => edits <= allowedEdits(words[position]!));
  if (mistyped.length === 0) return [];
  const { rows } = await sql<FoundWord & { readonly edits: number }>`
    select asked.position, asked.edits, ${columnsOfKnown}
    from unnest(${mistyped.map(({ position }) => position)}::int[], ${mistyped.map(({ edits }) => edits)}::int[],
      ${mistyped.map(({ id }) => id)}::bigint[]) as asked (position, edits, id)
    cross join lateral (
      select known.*, newest.local_time as newest from search_words as known ${withNewest} where known.id = asked.id
    ) as known ${withCounted(countTo)}`.execute(db);
  return rows;
};

/** Joins the local time of the newest visible item that `known` finds. A word without such an item is left out. */
export const withNewest = sql`
  cross join lateral (
    (select local_time from search_postings where known.collection_id is null and word_id = known.id
      order by local_time desc, media_item_id desc limit 1)
    union all
    (select local_time from collection_items where collection_id = known.collection_id and visibility = 'visible'
      order by local_time desc, media_item_id desc limit 1)
  ) as newest`;

/** The number of items of a collection is not counted here but read from `collections.item_count`. */
export const columnsOfKnown = sql`
  known.id, known.word, known.field, known.collection_id as "collectionId", known.newest, counted.oldest,
  case when known.collection_id is null then counted.n
    else coalesce((select item_count from collections where id = known.collection_id), 0)
  end as n`;

export const withCounted = (countTo: number) => sql`
  cross join lateral (
    select count(*) as n, min(local_time) as oldest from (
      select local_time from search_postings where known.collection_id is null and word_id = known.id
      order by local_time desc, media_item_id desc limit ${countTo}
    ) as found
  ) as counted`;
