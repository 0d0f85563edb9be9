import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toBytes, encodeAreas } from '@hearth/worker/places/build/encodeAreas.ts';
import { indexPoints } from '@hearth/worker/places/build/encodePoints.ts';
import type { Ring } from '@hearth/worker/places/build/countries.ts';
import { encodePlacesFile, type Sections } from '@hearth/worker/places/placesFile.ts';
import { makeStringTable } from '@hearth/worker/places/strings.ts';
import { computeWeight } from '@hearth/worker/places/towns.ts';

/** Returns a rectangle from its south-west to its north-east corner, in degrees. */
const rectangle = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** Countries of the test map, with the rectangles of their land and waters. */
const countries = [
  { code: 'AA', name: 'Aland', rings: [rectangle(0, 0, 10, 10), rectangle(4, 4, 4.2, 4.2)] },
  { code: 'BB', name: 'Bland', rings: [rectangle(4, 4, 4.2, 4.2)] },
  { code: 'CC', name: 'Dateland', rings: [rectangle(178, -10, 180, 0), rectangle(-180, -10, -178, 0)] },
];

const land = [rectangle(2, 2, 8, 8), rectangle(178, -10, 180, 0), rectangle(-180, -10, -178, 0)];

const towns = [
  {
    country: 0,
    name: 'Metropolis',
    state: 'South',
    city: 'Metropolis',
    population: 5_000_000,
    latitude: 3,
    longitude: 3,
  },
  { country: 0, name: 'Suburb', state: 'South', city: 'Metropolis', population: 20_000, latitude: 3.1, longitude: 3 },
  { country: 0, name: 'Hamlet', state: 'North', city: '', population: 100, latitude: 7, longitude: 7 },
  { country: 0, name: 'Townlet', state: 'North', city: '', population: 50_000, latitude: 7.1, longitude: 7 },
  { country: 0, name: 'Isle', state: '', city: '', population: 100, latitude: 1, longitude: 9 },
  { country: 1, name: 'Enclave', state: '', city: '', population: 10_000, latitude: 4.1, longitude: 4.1 },
  { country: 2, name: 'Tomorrow', state: '', city: '', population: 1_000, latitude: -5, longitude: -179.99 },
];

const postcodes = [
  { country: 0, code: '1000', latitude: 3, longitude: 3 },
  { country: 0, code: '7000', latitude: 7, longitude: 7 },
];

/** Returns the sections of the test map. */
export const makeTestPlaces = (): Sections => {
  const strings = makeStringTable();
  const areas = encodeAreas([
    ...countries.map(({ rings }, country) => ({ country, rings })),
    { country: undefined, rings: land },
  ]);
  const { items, index } = indexPoints(towns);
  const indexed = indexPoints(postcodes);
  const numbers = (texts: readonly string[]): Uint8Array =>
    toBytes(Uint32Array.from(texts, (text) => strings.getIndex(text)));
  const sections = {
    ...areas,
    about: Buffer.from(JSON.stringify({ sources: [], postcodesOf: ['AA'] })),
    countries: numbers(countries.flatMap(({ code, name }) => [code, name])),
    townNames: numbers(items.map(({ name }) => name)),
    townStates: numbers(items.map(({ state }) => state)),
    townCities: numbers(items.map(({ city }) => city)),
    townCountries: toBytes(Uint16Array.from(items, ({ country }) => country)),
    townWeights: toBytes(Float32Array.from(items, ({ population }) => computeWeight(population))),
    townIndex: index,
    postcodes: numbers(indexed.items.map(({ code }) => code)),
    postcodeCountries: toBytes(Uint16Array.from(indexed.items, ({ country }) => country)),
    postcodeIndex: indexed.index,
  };
  return { ...sections, strings: strings.encode() };
};

/** Writes the test map to a file and returns its path. */
export const writeTestPlaces = async (directory: string): Promise<string> => {
  const path = join(directory, 'places.bin');
  await writeFile(path, encodePlacesFile(makeTestPlaces()));
  return path;
};
