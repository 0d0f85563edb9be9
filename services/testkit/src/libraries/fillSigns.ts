import { queryOnce } from '../database/postgres.ts';

/** Search words that only one photo matches together: a person, a place, a word on a sign, a thing and a year. */
export const uniquePhotoWords = 'marta berlin oysters lighthouse 2014';

/** Number of photos per word that match only the other four words, if the library has enough photos. */
const decoysPerWord = 5;

/**
 * Adds data for the search for a single photo to a library that `fillDatabase` has filled and indexed. One item in fifty
 * shows the person, one in fifty the thing, and one in 500 the sign. One photo, taken in Berlin in 2014, has all three. For
 * each of the five words, up to five decoys lack this word and have the other four. No other item has both the person and
 * the thing. Does nothing if the library has no photo of Berlin in 2014.
 */
export const fillSigns = async (url: string, userId: string): Promise<void> => {
  // The ranges of the hashes exclude photos that get the person, the thing or the sign by their hash.
  const photos = await queryOnce<{ id: string; isInBerlin: boolean; isIn2014: boolean }>(
    url,
    `select * from (
       select media_items.id, is_in_berlin as "isInBerlin", is_in_2014 as "isIn2014",
         row_number() over (partition by is_in_berlin, is_in_2014 order by md5(local_time::text), media_items.id) as nth
       from media_items
       join media_item_places on media_item_id = media_items.id join places on places.id = place_id
       cross join lateral (select state = 'Berlin' as is_in_berlin, extract(year from local_time) = 2014 as is_in_2014) as flags
       where media_items.user_id = $1 and visibility = 'visible' and type = 'PHOTO' and (is_in_berlin or is_in_2014)
         and ${hashItem('seen')} between 0.1 and 0.4 and ${hashItem('sign')} > 0.002) as photos
     where nth <= ${1 + 3 * decoysPerWord} order by nth`,
    [userId],
  );
  const [target, ...others] = listIds(photos.filter(({ isInBerlin, isIn2014 }) => isInBerlin && isIn2014));
  if (target === undefined) return;
  const everyThird = (first: number) => others.filter((_, n) => n % 3 === first).slice(0, decoysPerWord);
  const lacking = {
    who: everyThird(0),
    sign: everyThird(1),
    what: everyThird(2),
    where: listIds(photos.filter(({ isInBerlin }) => !isInBerlin)).slice(0, decoysPerWord),
    when: listIds(photos.filter(({ isIn2014 }) => !isIn2014)).slice(0, decoysPerWord),
  };
  /** Returns the photo, and the decoys that have this word. */
  const listWithWord = (word: keyof typeof lacking): string[] => [
    target,
    ...Object.entries(lacking).flatMap(([missing, ids]) => (missing === word ? [] : ids)),
  ];
  for (const statement of [
    `insert into people (id, user_id, name) values (gen_random_uuid(), $1, 'Marta')`,
    `insert into things (id, user_id, name) values (gen_random_uuid(), $1, 'Lighthouse')`,
  ])
    await queryOnce(url, statement, [userId]);
  for (const [table, name, from, word] of [
    ['people', 'Marta', 0, 'who'],
    ['things', 'Lighthouse', 0.5, 'what'],
  ] as const)
    await queryOnce(
      url,
      `insert into collection_items (collection_id, media_item_id, local_time, visibility)
       select ${table}.id, media_items.id, local_time, visibility from media_items join ${table} on ${table}.user_id = $1 and name = '${name}'
       where media_items.user_id = $1 and (media_items.id = any($2::uuid[]) or ${hashItem('seen')} between ${from} and ${from + 0.02})`,
      [userId, listWithWord(word)],
    );
  // The housekeeper removes people without faces.
  await queryOnce(
    url,
    `insert into faces (id, media_item_id, person_id, box_left, box_top, box_width, box_height, quality, thumbnail_key, visibility)
     select gen_random_uuid(), media_item_id, people.id, 0.25, 0.25, 0.5, 0.5, 0.9, 'faces/' || media_item_id, visibility
     from people join collection_items on collection_id = people.id where user_id = $1 and name = 'Marta'`,
    [userId],
  );
  await queryOnce(
    url,
    `insert into media_item_texts (media_item_id, content, lines)
     select id, 'Fresh oysters', '[]' from media_items where user_id = $1 and (id = any($2::uuid[]) or ${hashItem('sign')} < 0.002)`,
    [userId, listWithWord('sign')],
  );
};

/** Finds the photo with all five words by SQL, and counts the photos that lack one word, by that word. */
export const findOnePhoto = async (
  url: string,
  userId: string,
): Promise<{ readonly id: string | undefined; readonly decoys: ReadonlyMap<string, number> }> => {
  const rows = await queryOnce<{ id: string; lacking: string[] }>(
    url,
    `select id, lacking from (
       select id, array_remove(array[
         case when not exists (select from collection_items join people on people.id = collection_id where media_item_id = item.id and name = 'Marta') then 'who' end,
         case when not exists (select from media_item_places join places on places.id = place_id where media_item_id = item.id and state = 'Berlin') then 'where' end,
         case when not exists (select from media_item_texts where media_item_id = item.id and content like '%oysters%') then 'sign' end,
         case when not exists (select from collection_items join things on things.id = collection_id where media_item_id = item.id and name = 'Lighthouse') then 'what' end,
         case when extract(year from local_time) <> 2014 then 'when' end], null) as lacking
       from media_items as item where user_id = $1 and visibility = 'visible' and id in (
         select media_item_id from collection_items where collection_id in (
           select id from people where user_id = $1 and name = 'Marta' union all select id from things where user_id = $1 and name = 'Lighthouse'))) as flags
     where cardinality(lacking) <= 1`,
    [userId],
  );
  const complete = rows.filter((row) => row.lacking.length === 0);
  if (complete.length > 1) throw new Error('more than one photo matches all five terms');
  const lacking = Map.groupBy(
    rows.filter((row) => row.lacking.length === 1),
    (row) => row.lacking[0]!,
  );
  return { id: complete[0]?.id, decoys: new Map([...lacking].map(([word, items]) => [word, items.length])) };
};

const listIds = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

/** Builds an SQL expression: a hash of an item as a number in [0, 1). */
const hashItem = (salt: string): string =>
  `(('x' || substr(md5(media_items.local_time::text || media_items.filename || '${salt}'), 1, 8))::bit(32)::bigint / 4294967296.0)`;
