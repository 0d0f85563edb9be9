import { sql, type RawBuilder } from 'kysely';
import type { Database } from './database.ts';
import type { Features, LocalTime } from './schema.ts';
import { allowedEdits, countEdits } from './searchTypos.ts';

/** How many words of a library one word of a query may begin or be mistyped from. */
const maxWordsPerWord = 100;

/** How many names of a user may have one word in common and all be found by it. */
const maxNamesPerWord = 2_000;

/** Characters from which on a word also finds those that it is the beginning of; but years, which begin hundreds of file names. */
const minPrefixLength = 3;

/** Items that a word of the query finds, in one order, newest first: those with a word, or those of a collection. */
export interface SearchList {
  readonly wordId: number | null;
  readonly collectionId: string | null;
  readonly score: number;
  /** About how many items, up to what was counted to. */
  readonly n: number;
  readonly newest: LocalTime;
}

/** What a word counts by where it was found: a name that somebody has given says the most. */
const fieldScores = { n: 10, p: 9, f: 8, d: 6, c: 4, t: 3 } as const;
type Field = keyof typeof fieldScores;

/** What a word counts by how well it was hit. */
const exactScore = 1;
const prefixScore = 0.6;
const typoScores = [1, 0.3, 0.15] as const;

interface FoundWord {
  readonly position: number;
  readonly id: number;
  readonly word: string;
  readonly field: Field;
  readonly collectionId: string | null;
  readonly n: number;
  readonly newest: LocalTime | null;
}

/**
 * For each of the words what it finds by what the user has switched on. One that finds nothing as it is written, and is no part of a date, is
 * taken for a mistyped one.
 */
export const findSearchLists = async (
  db: Database,
  { userId, features }: { readonly userId: string; readonly features: Features },
  words: readonly string[],
  { countTo, isDate }: { readonly countTo: number; readonly isDate: (position: number) => boolean },
): Promise<SearchList[][]> => {
  const isOn = (feature: keyof Features) => features[feature] !== false;
  const fields = ['f', 'd', 'c', 't', 'n', ...(isOn('places') ? ['p'] : [])];
  const kinds = [
    ...(isOn('albums') ? ['album'] : []),
    ...(isOn('things') ? ['thing'] : []),
    ...(isOn('people') ? ['person'] : []),
  ];
  const find = (positions: readonly number[], candidates: typeof written) =>
    readWords(
      db,
      userId,
      positions,
      positions.map((position) => words[position]!),
      candidates(userId, fields, isFindableAmong(kinds)),
      countTo,
    );
  const lists: SearchList[][] = words.map(() => []);
  for (const found of await find([...words.keys()], written)) {
    const isExact = found.word === words[found.position];
    addList(lists, found, isExact ? exactScore : prefixScore);
  }
  const missing = [...words.keys()].filter((position) => lists[position]!.length === 0);
  const mistyped = missing.filter((position) => !isDate(position) && allowedEdits(words[position]!) > 0);
  if (mistyped.length === 0) return lists;
  for (const found of await find(mistyped, edited)) {
    const edits = countEdits(found.word, words[found.position]!);
    if (edits <= allowedEdits(words[found.position]!)) addList(lists, found, typoScores[edits] ?? 0);
  }
  return lists;
};

const addList = (
  lists: SearchList[][],
  { position, id, field, collectionId, n, newest }: FoundWord,
  factor: number,
): void => {
  if (newest === null) return;
  lists[position]!.push({
    wordId: collectionId === null ? id : null,
    collectionId,
    score: fieldScores[field] * factor,
    n,
    newest,
  });
};

/**
 * Words as they are written, all of them: a hundred albums may have one word in common; and those that begin so. Names that nobody may be
 * shown are left out before the others are counted.
 */
const written = (userId: string, fields: readonly string[], isFindable: RawBuilder<boolean>) => sql`
  (select * from search_words as known
    where user_id = ${userId} and word = asked.word and field::text = any(${fields}::text[]) and ${isFindable}
    order by id limit ${maxNamesPerWord})
  union all
  (select * from search_words as known
    where user_id = ${userId} and word > asked.word and word <= asked.word || chr(1114111)
      and length(asked.word) >= ${minPrefixLength} and asked.word !~ '^[0-9]{4}$'
      and field::text = any(${fields}::text[]) and ${isFindable}
    order by word, id limit ${maxWordsPerWord})`;

/** Words that share what is left of them when letters go. By that index alone: what is left is another with each user, who has very many words. */
const edited = (userId: string, fields: readonly string[], isFindable: RawBuilder<boolean>) => sql`
  select * from search_words as known
  where edits && find_search_edits(${userId}, asked.word) and user_id is not distinct from ${userId}::uuid and field::text = any(${fields}::text[])
    and abs(length(word) - length(asked.word)) <= 2 and ${isFindable}
  order by abs(length(word) - length(asked.word)), word, id limit ${maxWordsPerWord}`;

/** Whether a name is one that the user is shown: of a kind that is switched on, not hidden, with something visible. Other words always are. */
const isFindableAmong = (kinds: readonly string[]) => sql<boolean>`(
  known.collection_id is null or (
    exists (select from collections where id = known.collection_id and kind = any(${kinds}::text[]))
    and not exists (select from albums where id = known.collection_id and is_hidden)
    and not exists (select from people where id = known.collection_id and is_hidden)
    and exists (select from collection_items where collection_id = known.collection_id and visibility = 'visible')))`;

const collectionKinds = ['album', 'thing', 'person'];

const readWords = async (
  db: Database,
  userId: string,
  positions: readonly number[],
  words: readonly string[],
  candidates: ReturnType<typeof written>,
  countTo: number,
): Promise<FoundWord[]> => {
  const { rows } = await sql<FoundWord>`
    select asked.position, found.id, found.word, found.field, found.collection_id as "collectionId", list.n, list.newest
    from unnest(${positions}::int[], ${words}::text[]) as asked (position, word)
    cross join lateral (${candidates}) as found
    cross join lateral (
      -- Those of a collection are not counted but known, up to what happened in the last seconds.
      select case when found.collection_id is null
        then (
          select count(*) from (
            select from search_postings where word_id = found.id order by local_time desc, media_item_id desc limit ${countTo}
          ) as counted)
        else coalesce((
          select n from collection_totals
          where user_id = ${userId} and kind = any(${collectionKinds}::text[]) and collection_id = found.collection_id), 0)
      end as n, coalesce(
        (select local_time from search_postings where found.collection_id is null and word_id = found.id
          order by local_time desc, media_item_id desc limit 1),
        (select local_time from collection_items where collection_id = found.collection_id and visibility = 'visible'
          order by local_time desc, media_item_id desc limit 1)
      ) as newest
    ) as list`.execute(db);
  return rows;
};
