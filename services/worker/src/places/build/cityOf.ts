import KDBush from 'kdbush';
import { distanceKm, pointsAround } from '../nearby.ts';
import type { Settlement } from './settlements.ts';

/** The population from which a settlement is a city. */
const cityPopulation = 100_000;

/** People per square kilometre of a city, by which its size is guessed: Paris has 20,000, Los Angeles 3,000. */
const cityDensity = 3_000;

/**
 * Finds the city that a settlement is or lies in. Among the cities of its country in whose circle it lies, that is the one whose centre is nearest
 * in proportion to the circle.
 */
export const createCityFinder = (settlements: readonly Settlement[]): ((settlement: Settlement) => string) => {
  const cities = settlements.filter(({ population = 0 }) => population >= cityPopulation);
  const index = new KDBush(cities.length);
  for (const { latitude, longitude } of cities) index.add(longitude, latitude);
  index.finish();
  const largestKm = Math.max(...cities.map(radiusKm));
  return (settlement) => {
    if ((settlement.population ?? 0) >= cityPopulation) return settlement.name;
    const [nearest] = pointsAround(index, settlement, largestKm)
      .map((number) => cities[number]!)
      .filter(({ country }) => country === settlement.country)
      .map((city) => ({ city, share: distanceKm(settlement, city.latitude, city.longitude) / radiusKm(city) }))
      .filter(({ share }) => share < 1)
      .toSorted((a, b) => a.share - b.share);
    return nearest?.city.name ?? '';
  };
};

/** Kilometres from a city's centre to its edge, were it round. */
const radiusKm = ({ population = 0 }: Settlement): number => Math.sqrt(population / cityDensity / Math.PI);
