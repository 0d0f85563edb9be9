import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import type { Features, LocalTime } from '@hearth/core/db/schema.ts';
import { estimateSize, hasProperty, type Property, type SearchList } from './searchList.ts';

/** Property words in each language of the web app, folded like the words of a query. */
const wordsByProperty: Partial<Record<Property, string>> = {
  PHOTO: 'photo photos picture pictures image images foto fotos bild bilder',
  VIDEO: 'video videos movie movies filme',
  FAVOURITE: 'favourite favourites favorite favorites favorit favoriten',
  SCREENSHOT: 'screenshot screenshots bildschirmfoto bildschirmfotos',
  PANORAMA: 'panorama panoramas panoramen',
  LIVE: 'live',
  SLOW: 'slowmo zeitlupe',
  TIMELAPSE: 'timelapse zeitraffer',
};

const propertiesByWord = new Map(
  (Object.entries(wordsByProperty) as [Property, string][]).flatMap(([name, words]) =>
    words.split(' ').map((word) => [word, name] as const),
  ),
);

/** Returns the property that a word names, if its feature is on. */
export const findProperty = (word: string, features: Features): Property | undefined => {
  const name = propertiesByWord.get(word);
  return name === 'FAVOURITE' && features.favourites === false ? undefined : name;
};

/** Returns the posting list of each property, without empty ones. `oldest` is the time of the library's oldest item. */
export const findPropertyLists = async (
  db: Database,
  userId: string,
  names: readonly Property[],
  { countTo, score, oldest }: { readonly countTo: number; readonly score: number; readonly oldest: LocalTime | null },
): Promise<Map<Property, SearchList>> => {
  if (names.length === 0) return new Map();
  const counts = names.map(
    (name) => sql`
      select ${name} as name, count(*) as n, max(local_time) as newest, min(local_time) as oldest from (
        select local_time from media_items where user_id = ${userId} and visibility = 'visible' and ${hasProperty(name)}
        order by local_time desc, id desc limit ${countTo}
      ) as newest`,
  );
  const { rows } = await sql<{ name: Property; n: number; newest: LocalTime | null; oldest: LocalTime | null }>`
    ${sql.join(counts, sql` union all `)}`.execute(db);
  return new Map(
    rows.flatMap(({ name, n, newest, oldest: counted }) => {
      if (newest === null) return [];
      const estimate = n === countTo ? estimateSize({ n, newest, oldest: counted }, oldest ?? newest) : n;
      const property = { name, userId };
      return [
        [name, { wordId: null, collectionId: null, property, word: null, field: null, score, n, estimate, newest }],
      ];
    }),
  );
};
