import { encodePlacesFile, type About } from '../placesFile.ts';
import { makeStringTable } from '../strings.ts';
import { computeWeight } from '../towns.ts';
import { createCityFinder } from './createCityFinder.ts';
import { countryName, readCountryAreas } from './countries.ts';
import { toBytes, encodeAreas } from './encodeAreas.ts';
import { indexPoints } from './encodePoints.ts';
import { readLand } from './land.ts';
import { obtainPostcodes, type PostcodeOptions } from './obtainPostcodes.ts';
import { readSettlements } from './settlements.ts';
import { readSources } from './sources.ts';

/** Assumed population of settlements without one. */
const unknownPopulation = 10;

/** Builds the places file. The same packages and archives produce the same bytes. */
export const buildPlaces = async (options: PostcodeOptions): Promise<Buffer> => {
  const strings = makeStringTable();
  const codes: string[] = [];
  const getCountryIndex = (code: string): number => {
    if (!codes.includes(code)) codes.push(code);
    return codes.indexOf(code);
  };
  const areas = encodeAreas([
    ...readCountryAreas().map(({ code, rings }) => ({ country: getCountryIndex(code), rings })),
    { country: undefined, rings: await readLand() },
  ]);

  const settlements = await readSettlements();
  const findCity = createCityFinder(settlements);
  const towns = indexPoints(settlements);

  const lists = await obtainPostcodes(options);
  const postcodes = indexPoints(
    [...lists].flatMap(([country, entries]) => entries.map((entry) => ({ country, ...entry }))),
  );

  const aboutFile: About = { sources: await readSources(lists.size > 0), postcodesOf: [...lists.keys()] };
  const perTown = (getTownIndex: (town: (typeof settlements)[number]) => number): Uint8Array =>
    toBytes(Uint32Array.from(towns.items, getTownIndex));
  const sections = {
    ...areas,
    about: Buffer.from(JSON.stringify(aboutFile)),
    townNames: perTown(({ name }) => strings.getIndex(name)),
    townStates: perTown(({ state }) => strings.getIndex(state)),
    townCities: perTown((town) => strings.getIndex(findCity(town))),
    townCountries: toBytes(Uint16Array.from(towns.items, ({ country }) => getCountryIndex(country))),
    townWeights: toBytes(
      Float32Array.from(towns.items, ({ population }) => computeWeight(population ?? unknownPopulation)),
    ),
    townIndex: towns.index,
    postcodes: toBytes(Uint32Array.from(postcodes.items, ({ postcode }) => strings.getIndex(postcode))),
    postcodeCountries: toBytes(Uint16Array.from(postcodes.items, ({ country }) => getCountryIndex(country))),
    postcodeIndex: postcodes.index,
    countries: toBytes(
      Uint32Array.from(codes.flatMap((code) => [strings.getIndex(code), strings.getIndex(countryName(code))])),
    ),
  };
  return encodePlacesFile({ ...sections, strings: strings.encode() });
};
