import { readFileSync } from 'node:fs';

/** The language of the web app besides English, in which the API has the names of places. */
const countries = new Intl.DisplayNames('de', { type: 'region', fallback: 'none' });

/** German names of towns, cities and states, where GeoNames has others, by the country's code and that other name. */
const others = JSON.parse(readFileSync(new URL('germanPlaces.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

interface PlaceNames {
  readonly countryCode: string;
  readonly country: string;
  readonly state?: string;
  readonly city?: string;
  readonly town?: string;
}

/** What a place is called in German besides its names, for search, with spaces between: its country, as CLDR has it, its state, city and town. */
export const placeSynonyms = ({ countryCode, country, state, city, town }: PlaceNames): string => {
  const names = [state, city, town].map((name) => name && others[countryCode]?.[name]);
  const german = [countries.of(countryCode), ...names].filter((name) => name !== undefined && name !== '');
  return [...new Set(german)].filter((name) => name !== country).join(' ');
};
