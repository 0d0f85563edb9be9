import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import { earlierDue } from '@hearth/core/runs/jobRuns.ts';
import type { MediaItemChanges } from '@hearth/core/db/schema.ts';
import { readFileSync } from 'node:fs';

/** Place where an item was taken. Unknown values are omitted. */
export interface ItemPlace {
  /** ISO 3166-1, two letters; dependent territories have their own. */
  readonly countryCode: string;
  readonly country: string;
  readonly state?: string;
  /** Large city that the town is or belongs to. */
  readonly city?: string;
  readonly town?: string;
  readonly postcode?: string;
}

/** Sets or removes the place of an item. Creates the place if its user does not have it yet. Call only while holding a lock on the item's row. */
export const writeItemPlace = async (trx: Database, mediaItemId: string, place: ItemPlace | null): Promise<void> => {
  if (place === null) {
    await prepared(trx, 'remove_item_place')
      .deleteFrom('media_item_places')
      .where('media_item_id', '=', mediaItemId)
      .execute();
    return;
  }
  const { countryCode, country, state = null, city = null, town = null, postcode = null } = place;
  const synonyms = listPlaceSynonyms(place);
  const isPlaceOfItem = sql`
    places.user_id = item.user_id and country_code = ${countryCode} and coalesce(places.state, '') = coalesce(${state}::text, '')
      and coalesce(city, '') = coalesce(${city}::text, '') and coalesce(town, '') = coalesce(${town}::text, '')`;
  await sql`
    insert into places (id, user_id, country_code, country, state, city, town, synonyms)
    select ${randomUUID()}::uuid, user_id, ${countryCode}, ${country}, ${state}, ${city}, ${town}, ${synonyms}
    from media_items as item where id = ${mediaItemId} and not exists (select from places where ${isPlaceOfItem})
    on conflict do nothing`.execute(prepared(trx, 'insert_place'));
  await sql`
    update places set synonyms = ${synonyms}
    from media_items as item where item.id = ${mediaItemId} and ${isPlaceOfItem} and synonyms <> ${synonyms}`.execute(
    prepared(trx, 'name_place'),
  );
  // A separate statement, to see a place that another transaction has just created.
  await sql`
    insert into media_item_places (media_item_id, place_id, postcode)
    select item.id, places.id, ${postcode} from media_items as item join places on ${isPlaceOfItem} where item.id = ${mediaItemId}
    on conflict (media_item_id) do update set place_id = excluded.place_id, postcode = excluded.postcode`.execute(
    prepared(trx, 'insert_item_place'),
  );
};

/** Returns the current position of an item, which METADATA may have just found. */
export const findPosition = async (
  db: Database,
  mediaItemId: string,
): Promise<{ readonly latitude: number; readonly longitude: number } | undefined> => {
  const { latitude = null, longitude = null } =
    (await prepared(db, 'item_position')
      .selectFrom('media_items')
      .select(['latitude', 'longitude'])
      .where('id', '=', mediaItemId)
      .executeTakeFirst()) ?? {};
  return latitude === null || longitude === null ? undefined : { latitude, longitude };
};

/**
 * Makes the PLACES run of an item due again if its position is about to change. So the order of METADATA and PLACES, retries and the choice of
 * worker do not matter. Call it before the item's row is written.
 */
export const reprocessMovedPlace = async (
  trx: Database,
  mediaItemId: string,
  { latitude = null, longitude = null }: MediaItemChanges,
): Promise<void> => {
  await sql`
    update component_runs as run set
      state = 'PENDING', attempts = 0, claim_id = null, lease_until = null, blocked_on = null, reason = null, next_attempt_at = now(),
      earlier = ${earlierDue}
    from media_items as item
    where run.media_item_id = ${mediaItemId} and run.component = 'PLACES' and item.id = run.media_item_id
      and (item.latitude, item.longitude) is distinct from (${latitude}::float8, ${longitude}::float8)
      and (run.state <> 'PENDING' or run.job_id is not null) and run.reason is distinct from 'FEATURE_OFF'`.execute(
    prepared(trx, 'redo_place'),
  );
};

/** German is the web app's other language. The API returns English names. */
const countries = new Intl.DisplayNames('de', { type: 'region', fallback: 'none' });

/** German names of towns, cities and states, by country code and GeoNames' name. */
const otherNames = JSON.parse(readFileSync(new URL('germanPlaces.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

interface PlaceNames {
  readonly countryCode: string;
  readonly country: string;
  readonly state?: string;
  readonly city?: string;
  readonly town?: string;
}

/** Returns the German names of a place, for search, separated by spaces: of its country (from CLDR), state, city and town. */
const listPlaceSynonyms = ({ countryCode, country, state, city, town }: PlaceNames): string => {
  const names = [state, city, town].map((name) => name && otherNames[countryCode]?.[name]);
  const german = [countries.of(countryCode), ...names].filter((name) => name !== undefined && name !== '');
  return [...new Set(german)].filter((name) => name !== country).join(' ');
};
