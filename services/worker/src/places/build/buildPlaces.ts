import { encodePlacesFile, type About } from '../placesFile.ts';
import { createStringTable } from '../strings.ts';
import { weightOf } from '../towns.ts';
import { createCityFinder } from './cityOf.ts';
import { countryName, readCountryAreas } from './countries.ts';
import { bytes, encodeAreas } from './encodeAreas.ts';
import { indexPoints } from './encodePoints.ts';
import { readLand } from './land.ts';
import { obtainPostcodes, type PostcodeOptions } from './obtainPostcodes.ts';
import { readSettlements } from './settlements.ts';
import { readSources } from './sources.ts';

/** Assumed population of settlements without one. */
const unknownPopulation = 10;

/** Builds the places file. The same packages and archives produce the same bytes. */
export const buildPlaces = async (options: PostcodeOptions): Promise<Buffer> => {
  const strings = createStringTable();
  const codes: string[] = [];
  const countryOf = (code: string): number => {
    if (!codes.includes(code)) codes.push(code);
    return codes.indexOf(code);
  };
  const areas = encodeAreas([
    ...readCountryAreas().map(({ code, rings }) => ({ country: countryOf(code), rings })),
    { country: undefined, rings: await readLand() },
  ]);

  const settlements = await readSettlements();
  const findCity = createCityFinder(settlements);
  const towns = indexPoints(settlements);

  const lists = await obtainPostcodes(options);
  const postcodes = indexPoints(
    [...lists].flatMap(([country, entries]) => entries.map((entry) => ({ country, ...entry }))),
  );

  const about: About = { sources: await readSources(lists.size > 0), postcodesOf: [...lists.keys()] };
  const perTown = (numberOf: (town: (typeof settlements)[number]) => number): Uint8Array =>
    bytes(Uint32Array.from(towns.items, numberOf));
  const sections = {
    ...areas,
    about: Buffer.from(JSON.stringify(about)),
    townNames: perTown(({ name }) => strings.numberOf(name)),
    townStates: perTown(({ state }) => strings.numberOf(state)),
    townCities: perTown((town) => strings.numberOf(findCity(town))),
    townCountries: bytes(Uint16Array.from(towns.items, ({ country }) => countryOf(country))),
    townWeights: bytes(Float32Array.from(towns.items, ({ population }) => weightOf(population ?? unknownPopulation))),
    townIndex: towns.index,
    postcodes: bytes(Uint32Array.from(postcodes.items, ({ postcode }) => strings.numberOf(postcode))),
    postcodeCountries: bytes(Uint16Array.from(postcodes.items, ({ country }) => countryOf(country))),
    postcodeIndex: postcodes.index,
    countries: bytes(
      Uint32Array.from(codes.flatMap((code) => [strings.numberOf(code), strings.numberOf(countryName(code))])),
    ),
  };
  return encodePlacesFile({ ...sections, strings: strings.encode() });
};
