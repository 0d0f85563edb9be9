import { countryNameIn } from '../entities/countryNames.ts';

/** The places of one country, by name. */
export interface CountryOfPlaces<Place> {
  /** In the language of the app; undefined for places that are in no country. */
  readonly country: string | undefined;
  readonly places: readonly Place[];
}

/** Places by their countries: both in the order of the language's alphabet, and what is in no country last. */
export const groupByCountry = <Place extends { readonly name: string; readonly country?: string | undefined }>(
  places: readonly Place[],
  language: string,
): readonly CountryOfPlaces<Place>[] => {
  const { compare } = new Intl.Collator(language, { numeric: true });
  return [...Map.groupBy(places, ({ country }) => country)]
    .map(([country, those]) => ({
      country: country === undefined ? undefined : countryNameIn(language, country),
      places: those.toSorted((a, b) => compare(a.name, b.name)),
    }))
    .toSorted((a, b) =>
      a.country === undefined || b.country === undefined
        ? Number(a.country === undefined) - Number(b.country === undefined)
        : compare(a.country, b.country),
    );
};
