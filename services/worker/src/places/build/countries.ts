import { borders, featuresContaining } from '@rapideditor/country-coder';

/** A country, a part of one, or a group of countries in country-coder. */
interface Feature {
  readonly geometry: { readonly coordinates: readonly (readonly Ring[])[] } | null;
  readonly properties: {
    readonly wikidata: string;
    readonly iso1A2: string | undefined;
    readonly isoStatus: string | undefined;
  };
}

/** A ring of an outline: longitudes and latitudes in degrees. The first corner is repeated at the end. */
export type Ring = readonly (readonly number[])[];

/** A part of a country with its outline, including waters. */
export interface CountryArea {
  /** ISO 3166-1, two letters; dependent territories have their own. */
  readonly code: string;
  readonly rings: readonly Ring[];
}

/** Returns the parts of all countries in country-coder. */
export const readCountryAreas = (): CountryArea[] =>
  (borders.features as readonly Feature[]).flatMap(({ geometry, properties }) => {
    const code = findCountryCode(properties.wikidata);
    return geometry === null || code === undefined ? [] : [{ code, rings: geometry.coordinates.flat() }];
  });

/** Returns the English name of a country: CLDR's as in Node, with abbreviations expanded. */
export const countryName = (code: string): string =>
  commonNames[code] ??
  (names.of(code) ?? code)
    .replaceAll(' & ', ' and ')
    .replace(/^St\. /, 'Saint ')
    .replaceAll('’', "'");

const names = new Intl.DisplayNames('en', { type: 'region' });

/** Names that replace those of CLDR, which are made for sorted lists. */
const commonNames: Readonly<Record<string, string>> = {
  CD: 'Democratic Republic of the Congo',
  CG: 'Republic of the Congo',
  HK: 'Hong Kong',
  MM: 'Myanmar',
  MO: 'Macao',
  PS: 'Palestine',
};

/** Areas that country-coder assigns to the ruling country, but GeoNames and ISO 3166 to the country that they belong to. */
const disputedAreas: Readonly<Record<string, string>> = {
  Q7835: 'UA', // Crimea
  Q23681: 'CY', // Northern Cyprus
};

/**
 * Returns the official code of the smallest country or territory that contains a part. Ignores reserved codes, such as that of the Canary Islands.
 */
const findCountryCode = (wikidata: string): string | undefined =>
  disputedAreas[wikidata] ??
  (featuresContaining(wikidata) as readonly Feature[])
    .map(({ properties }) => properties)
    .find(({ iso1A2, isoStatus }) => iso1A2 !== undefined && isoStatus !== 'excRes')?.iso1A2;
