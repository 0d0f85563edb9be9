import { queryOnce } from '../database/postgres.ts';

/** Returns the number of places, things, albums and people for this number of items. */
const getSizes = (items: number) => ({
  places: Math.min(3_000, Math.ceil(items / 50)),
  things: Math.min(400, Math.ceil(items / 20)),
  albums: Math.min(1_000, Math.ceil(items / 100)),
  people: Math.min(1_000, Math.ceil(items / 50)),
});

/**
 * Adds places, things, albums and people to the items that `fillLibrary` made for a user:
 * - Items with a position that were taken on the same day share one of up to 3,000 places.
 * - Each item has one or two of up to 400 things, unevenly distributed.
 * - One item in five is in one of up to 1,000 albums. The second album is shared.
 * - Two items in five have a face of one of up to 1,000 people. One person in ten has a name.
 */
export const fillCollections = async (url: string, userId: string, items: number): Promise<void> => {
  const { places, things, albums, people } = getSizes(items);
  await queryOnce(url, placesStatement, [userId, places]);
  await queryOnce(url, itemPlacesStatement, [userId, places]);
  await queryOnce(url, thingsStatement, [userId, things]);
  await queryOnce(url, itemThingsStatement, [userId, things]);
  await queryOnce(url, albumsStatement, [userId, albums]);
  await queryOnce(url, albumItemsStatement, [userId, albums]);
  await queryOnce(url, peopleStatement, [userId, people]);
  await queryOnce(url, facesStatement, [userId, people]);
  await queryOnce(url, itemPeopleStatement, [userId]);
};

/** Builds an SQL expression: a hash of the text as a number in [0, 1). */
const hashText = (text: string): string => `(('x' || substr(md5(${text}), 1, 8))::bit(32)::bigint / 4294967296.0)`;

const placesStatement = `
  insert into places (id, user_id, country_code, country, state, city, town)
  select gen_random_uuid(), $1, 'DE', 'Germany', (array['Bayern', 'Berlin', 'Hessen', 'Sachsen', 'Saarland'])[1 + n % 5], 'City ' || n % 200, 'Town ' || n from generate_series(1, $2::int) as n
  on conflict do nothing`;

const itemPlacesStatement = `
  with numbered as (select id, row_number() over (order by name, id) - 1 as n from places where user_id = $1)
  insert into media_item_places (media_item_id, place_id)
  select media_items.id, numbered.id from media_items
  join numbered on numbered.n = floor($2::int * ${hashText(`local_time::date::text`)} ^ 2)::int
  where user_id = $1 and latitude is not null
  on conflict do nothing`;

const thingsStatement = `
  insert into things (id, user_id, name) select gen_random_uuid(), $1, 'Thing ' || n from generate_series(1, $2::int) as n
  on conflict do nothing`;

const itemThingsStatement = `
  with numbered as (select id, row_number() over (order by name, id) - 1 as n from things where user_id = $1)
  insert into collection_items (collection_id, media_item_id, local_time, visibility)
  select distinct numbered.id, media_items.id, local_time, visibility
  from media_items cross join generate_series(1, 2) as nth
  join numbered on numbered.n = floor($2::int * ${hashText(`media_items.id::text || nth`)} ^ 3)::int
  where user_id = $1 and (nth = 1 or ${hashText(`media_items.id::text`)} < 0.4)
  on conflict do nothing`;

const albumsStatement = `
  with made as (
    insert into collections (id, user_id, kind) select gen_random_uuid(), $1, 'album' from generate_series(1, $2::int) returning id
  )
  insert into albums (id, user_id, name, share_id)
  select id, $1, 'Album ' || right(id::text, 6), case when row_number() over () = 2 then gen_random_uuid() end from made`;

const albumItemsStatement = `
  with numbered as (select id, row_number() over (order by id) - 1 as n from albums where user_id = $1)
  insert into collection_items (collection_id, media_item_id, local_time, visibility)
  select numbered.id, media_items.id, local_time, visibility from media_items
  join numbered on numbered.n = floor($2::int * ${hashText(`local_time::date::text || 'album'`)} ^ 2)::int
  where user_id = $1 and ${hashText(`local_time::date::text || 'in'`)} < 0.2
  on conflict do nothing`;

const peopleStatement = `
  insert into people (id, user_id, name) select gen_random_uuid(), $1, case when n % 10 = 1 then 'Person ' || n end
  from generate_series(1, $2::int) as n`;

const facesStatement = `
  with numbered as (select id, row_number() over (order by id) - 1 as n from people where user_id = $1)
  insert into faces (id, media_item_id, person_id, box_left, box_top, box_width, box_height, quality, thumbnail_key, visibility)
  select gen_random_uuid(), media_items.id, numbered.id, 0.1, 0.1, 0.2, 0.2, ${hashText(`media_items.id::text || 'quality'`)},
    'faces/' || media_items.id, visibility
  from media_items
  join numbered on numbered.n = floor($2::int * ${hashText(`media_items.id::text || 'face'`)} ^ 3)::int
  where user_id = $1 and ${hashText(`media_items.id::text || 'seen'`)} < 0.4`;

const itemPeopleStatement = `
  insert into collection_items (collection_id, media_item_id, local_time, visibility)
  select distinct person_id, media_items.id, local_time, media_items.visibility
  from faces join media_items on media_items.id = media_item_id where user_id = $1
  on conflict do nothing`;
