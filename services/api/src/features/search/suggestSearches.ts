import { sql } from 'kysely';
import type { SearchSuggestion } from '@hearth/contract/search.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { hideFromPlanner, prepared } from '@hearth/core/db/preparedStatements.ts';
import type { Features } from '@hearth/core/db/schema.ts';
import { getTimeline } from '../timeline/queries.ts';
import { cameraName } from './searchReasons.ts';
import { foldWord } from './searchSnippets.ts';
import { suggestDates } from './dates/suggestDates.ts';

/** A suggestion and how well its name matches the typed text. */
interface Ranked {
  /** True if the name starts with the typed text. False if only a later word of the name does. */
  readonly begins: boolean;
  readonly suggestion: SearchSuggestion;
}

/** Maximum number of typed words. Uses the last ones. */
const maxTypedWords = 6;

/** Maximum number of indexed words with the typed prefix to examine. */
const maxWords = 10_000;

/** Maximum number of names to rank: those with the most items. */
const maxNames = 200;

/** Maximum number of cameras to examine. */
const maxCameras = 200;

/** Maximum number of items to count per camera. */
const maxCounted = 1_000;

const kindByField = { a: 'album', o: 'thing', i: 'person', l: 'place' } as const;
const featureByKind = { album: 'albums', thing: 'things', person: 'people', place: 'places' } as const;

/**
 * Suggests searches for typed text: names that contain every typed word, the last one as a prefix. Names that start
 * with the text come first, then those with most visible items. Months and years come first if a number was typed,
 * otherwise last.
 */
export const suggestSearches = async (
  db: Database,
  { userId, features }: { readonly userId: string; readonly features: Features },
  typed: string,
  limit: number,
): Promise<SearchSuggestion[]> => {
  const { rows } = await sql<{ words: string[] }>`select split_search_words(${typed}) as words`.execute(
    prepared(db, 'typed_words'),
  );
  const words = rows[0]!.words.slice(-maxTypedWords);
  if (words.length === 0) return [];
  const dates = suggestDates(words, () => getTimeline(db, userId, 'month'));
  const [names, cameras, times] = await Promise.all([
    findNames(db, userId, features, words, limit),
    findCameras(db, userId, words, limit),
    dates,
  ]);
  const named = [...names, ...cameras]
    .toSorted((a, b) => Number(b.begins) - Number(a.begins) || compareSuggestions(a.suggestion, b.suggestion))
    .map(({ suggestion }) => suggestion);
  const shown = named.slice(0, Math.max(0, limit - times.length));
  return (words.some((word) => /\d/.test(word)) ? [...times, ...shown] : [...shown, ...times]).slice(0, limit);
};

const compareSuggestions = (a: SearchSuggestion, b: SearchSuggestion): number =>
  b.count - a.count || (a.value < b.value ? -1 : 1);

const findNames = async (
  db: Database,
  userId: string,
  features: Features,
  words: readonly string[],
  limit: number,
): Promise<Ranked[]> => {
  const fields = Object.entries(kindByField).flatMap(([field, kind]) =>
    features[featureByKind[kind]] === false ? [] : [field],
  );
  const user = hideFromPlanner(userId, 'uuid');
  const last = hideFromPlanner(words.at(-1)!, 'text');
  const others = words.slice(0, -1).map(
    (word) => sql`
          and collection_id in (
            select collection_id from search_words where user_id = ${user} and collection_id is not null and word = ${hideFromPlanner(word, 'text')})`,
  );
  const { rows } = await sql<{
    id: string;
    kind: keyof typeof featureByKind;
    name: string;
    n: number;
    begins: boolean;
  }>`
    with named as materialized (
      select distinct collection_id as id from (
        select collection_id from search_words
        where user_id = ${user} and collection_id is not null and word >= ${last} and word <= ${last} || chr(1114111)
          and field = any(${fields}::text[])${sql.join(others, sql``)}
        limit ${maxWords}
      ) as found
    ), pending as materialized (
      select list_id as id, sum(n) as n from count_deltas where user_id = ${user} and list_id <> ${user} and visibility = 'visible' group by 1
    )
    select id, kind, name, n::float8 as n, starts_with(fold_search_text(name), ${words.join(' ')}) as begins
    from (
      select id, kind, n, case kind
          when 'album' then (select name from albums where albums.id = counted.id)
          when 'thing' then (select name from things where things.id = counted.id)
          when 'person' then (select name from people where people.id = counted.id)
          else (select name from places where places.id = counted.id)
        end as name
      from (
        select named.id, kind, item_count + coalesce(pending.n, 0) as n
        from named join collections on collections.id = named.id left join pending on pending.id = named.id
        offset 0
      ) as counted
      where n > 0
      order by n desc, id limit ${maxNames}
    ) as most
    order by begins desc, n desc, name, id limit ${limit}`.execute(prepared(db, `suggested_names_${words.length}`));
  return rows.map(({ id, kind, name, n, begins }) => ({ begins, suggestion: { kind, id, value: name, count: n } }));
};

const findCameras = async (
  db: Database,
  userId: string,
  words: readonly string[],
  limit: number,
): Promise<Ranked[]> => {
  const user = hideFromPlanner(userId, 'uuid');
  const itemsWithCamera = sql`
    media_items where user_id = ${user} and visibility = 'visible' and (camera_make is not null or camera_model is not null)`;
  const key = sql`camera_key(camera_make, camera_model) collate "C"`;
  const { rows } = await sql<{ make: string | null; model: string | null; key: string }>`
    with recursive cameras as (
      (select ${key} as key, camera_make as make, camera_model as model from ${itemsWithCamera} order by 1 limit 1)
      union all
      select next.* from cameras cross join lateral (
        select ${key}, camera_make, camera_model from ${itemsWithCamera} and ${key} > cameras.key order by 1 limit 1
      ) as next
    )
    select * from cameras limit ${maxCameras}`.execute(prepared(db, 'cameras'));
  const found = rows.flatMap(({ make, model, key: cameraKey }) => {
    const name = cameraName(make, model);
    const folded = foldWord(name);
    const parts = folded.split(' ');
    const isPrefix =
      words.slice(0, -1).every((word) => parts.includes(word)) && parts.some((part) => part.startsWith(words.at(-1)!));
    return isPrefix ? [{ name, key: cameraKey, begins: folded.startsWith(words.join(' ')) }] : [];
  });
  if (found.length === 0) return [];
  const chosen = found.toSorted((a, b) => Number(b.begins) - Number(a.begins)).slice(0, 2 * limit);
  const { rows: counts } = await sql<{ n: number }>`
    select (select count(*) from (select from ${itemsWithCamera} and ${key} = chosen.key limit ${maxCounted}) as counted)::float8 as n
    from unnest(${chosen.map(({ key: cameraKey }) => cameraKey)}::text[]) with ordinality as chosen (key, nth) order by nth`.execute(
    prepared(db, 'camera_counts'),
  );
  return chosen.map(({ name, begins }, index) => ({
    begins,
    suggestion: { kind: 'camera', value: name, count: counts[index]!.n },
  }));
};
