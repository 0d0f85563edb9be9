import { minStoredItems } from '@hearth/api/features/places/mapCells.ts';
import { queryOnce } from '../database/postgres.ts';

/** Triggers that work row by row. For a million rows they would take a quarter of an hour. */
const slowTriggers = {
  media_items: ['media_items_words_insert', 'media_items_map_insert'],
  media_item_places: ['media_item_places_words'],
} as const;

/** Runs `fill` with the triggers for search and map disabled. Index the rows with `fillSearch` afterwards. */
export const withoutSlowTriggers = async (url: string, fill: () => Promise<void>): Promise<void> => {
  const setAll = async (state: 'enable' | 'disable'): Promise<void> => {
    for (const [table, triggers] of Object.entries(slowTriggers)) {
      for (const trigger of triggers) await queryOnce(url, `alter table ${table} ${state} trigger ${trigger}`);
    }
  };
  await setAll('disable');
  try {
    await fill();
  } finally {
    await setAll('enable');
  }
};

/** Writes the search words and map cells that the disabled triggers would have written for each item of a user. */
export const fillSearch = async (url: string, userId: string): Promise<void> => {
  for (const statement of statements) await queryOnce(url, statement.replaceAll('$user', `'${userId}'::uuid`));
};

const statements = [
  // Indexes each distinct text once: there are few cameras and places.
  `create table filled_texts as
    select field, content, array(
        select distinct word from unnest(find_search_words(content)) as word where field <> 'f' or not has_long_number(word)
      ) as words
    from (
      select 'c' as field, concat_ws(' ', camera_make, camera_model) as content from media_items where user_id = $user
      union
      select 'p', concat_ws(' ', town, city, state, country) from places where user_id = $user
      union
      select 'f', filename from media_items where user_id = $user
    ) as texts`,
  `insert into search_words (user_id, field, word, edits)
    select $user, field, word, find_search_edits($user, word)
    from (select distinct field, word from filled_texts cross join lateral unnest(words) as word) as found
    where not exists (
      select from search_words as known where known.user_id = $user and known.word = found.word and known.field = found.field)`,
  'analyze search_words, filled_texts',
  `create table filled_ids as
    select field, content, array_agg(search_words.id) as ids
    from filled_texts cross join lateral unnest(words) as each (word)
    join search_words using (field, word) where user_id = $user group by 1, 2`,
  'analyze filled_ids, media_items, places, media_item_places, media_item_words, search_postings',
  `delete from media_item_words where media_item_id in (select id from media_items where user_id = $user)`,
  `insert into media_item_words (media_item_id, local_time, is_listed, word_ids)
    select media_items.id, local_time, visibility = 'visible',
      coalesce(of_file.ids, '{}') || coalesce(of_camera.ids, '{}') || coalesce(of_place.ids, '{}')
    from media_items
    left join media_item_places on media_item_id = media_items.id
    left join places on places.id = place_id
    left join filled_ids as of_file on of_file.field = 'f' and of_file.content = filename
    left join filled_ids as of_camera on of_camera.field = 'c' and of_camera.content = concat_ws(' ', camera_make, camera_model)
    left join filled_ids as of_place on of_place.field = 'p' and of_place.content = concat_ws(' ', town, city, state, country)
    where media_items.user_id = $user`,
  'analyze media_item_words',
  `insert into search_postings (word_id, local_time, media_item_id)
    select distinct word_id, local_time, media_item_id
    from media_item_words cross join lateral unnest(word_ids) as word_id
    where is_listed and media_item_id in (select id from media_items where user_id = $user)
    order by 1, 2, 3 on conflict do nothing`,
  'drop table filled_texts, filled_ids',
  'delete from map_cells where user_id = $user',
  'delete from map_deltas where user_id = $user',
  `insert into map_cells (user_id, level, cell, n, latitude_e7, longitude_e7)
    select user_id, level, map_cell(latitude, longitude) >> (2 * (22 - level)), count(*),
      sum(round(latitude * 1e7)::bigint), sum(round(longitude * 1e7)::bigint)
    from media_items cross join generate_series(2, 22, 2) as level
    where user_id = $user and visibility = 'visible' and latitude is not null and longitude is not null
    group by 1, 2, 3 having count(*) >= ${minStoredItems} order by 1, 2, 3`,
];
