import { readFile } from 'node:fs/promises';
import { readAreas } from './areas.ts';
import { decodePlacesFile, PlacesFileError, type About, u32 } from './placesFile.ts';
import { readPostcodes } from './postcodes.ts';
import { readStrings } from './strings.ts';
import { readTowns } from './towns.ts';
import type { ItemPlace } from './itemPlaces.ts';
import type { Position } from './nearby.ts';

/** The places of the world, without a network. */
export interface Places {
  readonly about: About;
  /** The place of a position, in English where there is an English word; undefined at sea, and where no country is. */
  find(position: Position): ItemPlace | undefined;
}

/** Kilometres off the coast that still belong to the land: beaches, piers, bridges, what the outlines leave out. */
const coastKm = 5;

/** Kilometres from a town within which there must be land, such as an island that is too small for the outlines. */
const islandKm = 10;

/** Kilometres within which a town can be named, and those within which the nearest one tells at least the state. */
const townKm = 100;
const stateKm = 300;

/**
 * Reads the file that `npm run places` makes: once, into memory.
 * @throws PlacesFileError where there is none, or it is damaged or of another version
 */
export const openPlaces = async (path: string): Promise<Places> => {
  const file = await readFile(path).catch((cause: unknown) => {
    throw new PlacesFileError(`cannot read ${path}`, { cause });
  });
  const sections = decodePlacesFile(file);
  const about = JSON.parse(Buffer.from(sections.about).toString('utf8')) as About;
  const text = readStrings(sections.strings);
  const countries = u32(sections.countries);
  const areas = readAreas(sections);
  const towns = readTowns(sections);
  const postcodes = readPostcodes(sections);
  return {
    about,
    find: (position) => {
      const { country, isLand } = areas.find(position);
      if (country === undefined) return undefined;
      const isAshore =
        isLand || areas.isCoastNear(position, coastKm) || towns.nearest(position, country, islandKm) !== undefined;
      if (!isAshore) return undefined;
      const town = towns.weighted(position, country, townKm);
      const inState = town ?? towns.nearest(position, country, stateKm);
      return withoutGaps({
        countryCode: text(countries[2 * country]) ?? '',
        country: text(countries[2 * country + 1]) ?? '',
        state: inState === undefined ? undefined : text(towns.state(inState)),
        city: town === undefined ? undefined : text(towns.city(town)),
        town: town === undefined ? undefined : text(towns.name(town)),
        postcode: text(postcodes.find(position, country)),
      });
    },
  };
};

const withoutGaps = (place: { [Key in keyof ItemPlace]: ItemPlace[Key] | undefined }): ItemPlace =>
  Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined)) as unknown as ItemPlace;
