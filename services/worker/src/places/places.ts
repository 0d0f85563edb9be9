import { readFile } from 'node:fs/promises';
import { readAreas } from './areas.ts';
import { decodePlacesFile, PlacesFileError, type About, toUint32 } from './placesFile.ts';
import { readPostcodes } from './postcodes.ts';
import { readStrings } from './strings.ts';
import { readTowns } from './towns.ts';
import type { ItemPlace } from './itemPlaces.ts';
import type { Position } from './nearby.ts';

/** Offline reverse geocoding. */
export interface Places {
  readonly about: About;
  /** Returns the place of a position, in English if an English name exists; undefined at sea and outside of all countries. */
  find(position: Position): ItemPlace | undefined;
}

/** Distance from the coast that still counts as land: beaches, piers, bridges, inaccuracies of the outlines. */
const coastKm = 5;

/** A position with a town within this distance counts as land: the outlines omit very small islands. */
const islandKm = 10;

/** Maximum distance of a named town, and of the nearest town that determines the state. */
const townKm = 100;
const stateKm = 300;

/**
 * Reads the file built by `npm run places` into memory.
 * @throws PlacesFileError if it is missing, damaged or of another version
 */
export const openPlaces = async (path: string): Promise<Places> => {
  const file = await readFile(path).catch((cause: unknown) => {
    throw new PlacesFileError(`cannot read ${path}`, { cause });
  });
  const sections = decodePlacesFile(file);
  const about = JSON.parse(Buffer.from(sections.about).toString('utf8')) as About;
  const text = readStrings(sections.strings);
  const countries = toUint32(sections.countries);
  const areas = readAreas(sections);
  const towns = readTowns(sections);
  const postcodes = readPostcodes(sections);
  return {
    about,
    find: (position) => {
      const { country, isLand } = areas.find(position);
      if (country === undefined) return undefined;
      const isAshore =
        isLand || areas.isNearCoast(position, coastKm) || towns.nearest(position, country, islandKm) !== undefined;
      if (!isAshore) return undefined;
      const town = towns.weighted(position, country, townKm);
      const state = town ?? towns.nearest(position, country, stateKm);
      return omitUndefined({
        countryCode: text(countries[2 * country]) ?? '',
        country: text(countries[2 * country + 1]) ?? '',
        state: state === undefined ? undefined : text(towns.state(state)),
        city: town === undefined ? undefined : text(towns.city(town)),
        town: town === undefined ? undefined : text(towns.name(town)),
        postcode: text(postcodes.find(position, country)),
      });
    },
  };
};

const omitUndefined = (place: { [Key in keyof ItemPlace]: ItemPlace[Key] | undefined }): ItemPlace =>
  Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined)) as unknown as ItemPlace;
