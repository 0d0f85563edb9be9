import { byDistance, findPoint, readIndex, type Position } from './nearby.ts';
import { type Sections, toFloat32, toUint16, toUint32 } from './placesFile.ts';

/** Settlements of any size, by their numbers. */
export interface Towns {
  /** Returns the nearest town in a country. */
  nearest(position: Position, country: number, withinKm: number): number | undefined;
  /** Returns the town that a person would name: see [Note: Weighted distance]. */
  weighted(position: Position, country: number, withinKm: number): number | undefined;
  /** Returns the number of the string with the name. */
  name(town: number): number | undefined;
  /** Returns the number of the string with the state. */
  state(town: number): number | undefined;
  /** Returns the number of the string with the name of the city. */
  city(town: number): number | undefined;
}

/**
 * [Note: Weighted distance] The nearest settlement is often a hamlet that few people know, so large towns are preferred. The distance is
 * divided by a weight: the fifth root of the population. A town of 100,000 may be 2.5 times as far away as a village of 1,000. At large distances the
 * distance counts more. The state is that of the nearest town of any size, and the named town must be in that state. These weights and distances found
 * more towns of the test points than all others tried (`npm run bench:places`).
 */
export const computeWeight = (population: number): number => population ** 0.2;

/** Distance that counts double, in km. */
const farKm = 15;

const computeRemoteness = (km: number): number => km * (1 + km / farKm);

export const readTowns = (sections: Sections): Towns => {
  const names = toUint32(sections.townNames);
  const states = toUint32(sections.townStates);
  const cities = toUint32(sections.townCities);
  const countries = toUint16(sections.townCountries);
  const weights = toFloat32(sections.townWeights);
  const index = readIndex(sections.townIndex);
  const maxWeight = weights.reduce((a, b) => Math.max(a, b), 1);

  const nearest: Towns['nearest'] = (position, country, withinKm) =>
    findPoint(index, position, { withinKm, isWanted: (town) => countries[town] === country, ...byDistance });

  return {
    nearest,
    weighted: (position, country, withinKm) => {
      const closest = nearest(position, country, withinKm);
      if (closest === undefined) return undefined;
      return findPoint(index, position, {
        withinKm,
        isWanted: (town) => countries[town] === country && states[town] === states[closest],
        getScore: (town, km) => computeRemoteness(km) / weights[town]!,
        getLowestScoreBeyond: (km) => computeRemoteness(km) / maxWeight,
      });
    },
    name: (town) => names[town],
    state: (town) => states[town],
    city: (town) => cities[town],
  };
};
