import KDBush from 'kdbush';
import { distanceKm, listPointsAround } from '../nearby.ts';
import type { Settlement } from './settlements.ts';

/** Minimum population of a city. */
const cityPopulation = 100_000;

/** Assumed density to estimate the size of cities, in people per km²: Paris has 20,000, Los Angeles 3,000. */
const cityDensity = 3_000;

/**
 * Finds the city that a settlement is or lies in: the city of the same country with the smallest distance relative to the city's estimated radius.
 * Ignores cities further away than their radius. Returns the name of the city, or an empty string if there is none.
 */
export const createCityFinder = (settlements: readonly Settlement[]): ((settlement: Settlement) => string) => {
  const cities = settlements.filter(({ population = 0 }) => population >= cityPopulation);
  const index = new KDBush(cities.length);
  for (const { latitude, longitude } of cities) index.add(longitude, latitude);
  index.finish();
  const largestKm = Math.max(...cities.map(radiusKm));
  return (settlement) => {
    if ((settlement.population ?? 0) >= cityPopulation) return settlement.name;
    const [nearest] = listPointsAround(index, settlement, largestKm)
      .map((number) => cities[number]!)
      .filter(({ country }) => country === settlement.country)
      .map((city) => ({
        city,
        relativeDistance: distanceKm(settlement, city.latitude, city.longitude) / radiusKm(city),
      }))
      .filter(({ relativeDistance }) => relativeDistance < 1)
      .toSorted((a, b) => a.relativeDistance - b.relativeDistance);
    return nearest?.city.name ?? '';
  };
};

/** Estimates the radius of a city, assuming a circle. */
const radiusKm = ({ population = 0 }: Settlement): number => Math.sqrt(population / cityDensity / Math.PI);
