import { byDistance, findPoint, readIndex, type Position } from './nearby.ts';
import { type Sections, u16, u32 } from './placesFile.ts';

/** The postcodes of the countries that the file has them for. */
export interface Postcodes {
  /** The string of the nearest postcode of the country. */
  find(position: Position, country: number): number | undefined;
}

/** Kilometres within which a postcode is looked for: in the Australian outback one is used over hundreds of them. */
const withinKm = 300;

/** Reads the postcodes of a file. */
export const readPostcodes = (sections: Sections): Postcodes => {
  const codes = u32(sections.postcodes);
  const countries = u16(sections.postcodeCountries);
  const index = readIndex(sections.postcodeIndex);
  const known = new Set(countries);
  return {
    find: (position, country) => {
      if (!known.has(country)) return undefined;
      const point = findPoint(index, position, {
        withinKm,
        isWanted: (point) => countries[point] === country,
        ...byDistance,
      });
      return point === undefined ? undefined : codes[point];
    },
  };
};
