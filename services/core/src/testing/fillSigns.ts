import { queryOnce } from './postgres.ts';

/** The words that one photo alone has together: a person, a place, a word on a sign, a thing and a year. */
export const wordsOfOnePhoto = 'marta berlin oysters lighthouse 2014';

/**
 * Adds to a user's library, as `fillDatabase` has filled and indexed it, what a search for one photo among all looks through: a person and a thing on
 * one item in fifty each, and a sign on one picture in 500. One photo of 2014 in Berlin has all three; no other has the person and the thing. Of a library
 * without a photo of then and there nothing is changed.
 */
export const fillSigns = async (url: string, userId: string): Promise<void> => {
  const [target] = await queryOnce<{ id: string }>(
    url,
    `select media_items.id from media_items
     join media_item_places on media_item_id = media_items.id join places on places.id = place_id
     where media_items.user_id = $1 and visibility = 'visible' and state = 'Berlin' and extract(year from local_time) = 2014
     order by md5(local_time::text) limit 1`,
    [userId],
  );
  if (target === undefined) return;
  for (const statement of [
    `insert into people (id, user_id, name) values (gen_random_uuid(), $1, 'Marta')`,
    `insert into things (id, user_id, name) values (gen_random_uuid(), $1, 'Lighthouse')`,
  ])
    await queryOnce(url, statement, [userId]);
  for (const [table, name, from] of [
    ['people', 'Marta', 0],
    ['things', 'Lighthouse', 0.5],
  ] as const)
    await queryOnce(
      url,
      `insert into collection_items (collection_id, media_item_id, local_time, visibility)
       select ${table}.id, media_items.id, local_time, visibility from media_items join ${table} on ${table}.user_id = $1 and name = '${name}'
       where media_items.user_id = $1 and (media_items.id = $2 or ${ofItem('seen')} between ${from} and ${from + 0.02})`,
      [userId, target.id],
    );
  await queryOnce(
    url,
    `insert into media_item_texts (media_item_id, content, lines)
     select id, 'Fresh oysters', '[]' from media_items where user_id = $1 and (id = $2 or ${ofItem('sign')} < 0.002)`,
    [userId, target.id],
  );
};

/** A number of an item's own, from 0 to below 1, the same in every run. */
const ofItem = (what: string): string =>
  `(('x' || substr(md5(media_items.local_time::text || media_items.filename || '${what}'), 1, 8))::bit(32)::bigint / 4294967296.0)`;
