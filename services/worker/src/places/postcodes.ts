import { byDistance, findPoint, readIndex, type Position } from './nearby.ts';
import { type Sections, toUint16, toUint32 } from './placesFile.ts';

export interface Postcodes {
  /** Returns the string of the nearest postcode in the country. */
  find(position: Position, country: number): number | undefined;
}

/** Maximum distance of a postcode. In the Australian outback, a postcode covers hundreds of kilometres. */
const withinKm = 300;

export const readPostcodes = (sections: Sections): Postcodes => {
  const codes = toUint32(sections.postcodes);
  const countries = toUint16(sections.postcodeCountries);
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
