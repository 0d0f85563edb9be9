import { byDistance, findPoint, readIndex, type Position } from './nearby.ts';
import { type Sections, f32, u16, u32 } from './placesFile.ts';

/** The towns of the world: settlements of any size, by their numbers. */
export interface Towns {
  /** The nearest town of a country. */
  nearest(position: Position, country: number, withinKm: number): number | undefined;
  /** The town by which a person would say where they are: see [Note: Weighted distance]. */
  weighted(position: Position, country: number, withinKm: number): number | undefined;
  /** The strings of a town. */
  name(town: number): number | undefined;
  state(town: number): number | undefined;
  city(town: number): number | undefined;
}

/**
 * [Note: Weighted distance] The nearest settlement is often a hamlet that nobody has heard of. So its distance is divided by a weight that
 * grows with the fifth root of the population: a town of 100,000 is chosen from 2.5 times as far away as a village of 1,000. If both are
 * far, the distance counts for more than that. The state is that of the nearest town, whatever its size, and the named town lies in that
 * state. Of the weights and distances that were tried (`npm run bench:places`), these found the most towns of the test points.
 */
export const weightOf = (population: number): number => population ** 0.2;

/** Kilometres at which the distance counts double. */
const farKm = 15;

const remoteness = (km: number): number => km * (1 + km / farKm);

/** Reads the towns of a file. */
export const readTowns = (sections: Sections): Towns => {
  const names = u32(sections.townNames);
  const states = u32(sections.townStates);
  const cities = u32(sections.townCities);
  const countries = u16(sections.townCountries);
  const weights = f32(sections.townWeights);
  const index = readIndex(sections.townIndex);
  const greatestWeight = weights.reduce((a, b) => Math.max(a, b), 1);

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
        scoreOf: (town, km) => remoteness(km) / weights[town]!,
        lowestBeyond: (km) => remoteness(km) / greatestWeight,
      });
    },
    name: (town) => names[town],
    state: (town) => states[town],
    city: (town) => cities[town],
  };
};
