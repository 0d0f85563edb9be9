/**
 * `node --expose-gc load-tests/bench/measurePlaces.ts FILE`: measures the cost and accuracy of reverse geocoding and
 * prints JSON. It runs in its own process, so that only the memory of the place map is measured.
 */
import { openPlaces, type Places } from '@hearth/worker/places/places.ts';
import { evaluatePlaces, lacksTestPoints, readTestPoints } from '@hearth/testkit/places/evaluatePlaces.ts';
import type { Position } from '@hearth/worker/places/nearby.ts';

/** Number of lookups per kind of position. */
const lookups = 100_000;

/** Maximum offset of a position from its centre, in degrees (about 20 km). */
const nearDegrees = 0.2;

/** Densely settled areas, where a lookup compares the most candidates. */
const crowdedPositions: readonly Position[] = [
  { latitude: 51.5, longitude: 7 }, // the Ruhr
  { latitude: 35.68, longitude: 139.69 }, // Tokyo
  { latitude: 40.75, longitude: -73.99 }, // New York
  { latitude: 45.46, longitude: 9.19 }, // Lombardy
  { latitude: 23.8, longitude: 90.4 }, // Dhaka
];

/** Returns a seeded generator of numbers from 0 to 1. */
const createRandom = (): (() => number) => {
  let state = 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
};

const random = createRandom();
const kinds = {
  anywhere: (): Position => ({ latitude: random() * 180 - 90, longitude: random() * 360 - 180 }),
  crowded: (): Position => {
    const centre = crowdedPositions[Math.floor(random() * crowdedPositions.length)]!;
    const offset = (): number => (2 * random() - 1) * nearDegrees;
    return { latitude: centre.latitude + offset(), longitude: centre.longitude + offset() };
  },
};

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

const measureLookups = (places: Places, next: () => Position) => {
  const positions = Array.from({ length: lookups }, next);
  let found = 0;
  const before = process.cpuUsage();
  for (const position of positions) if (places.find(position) !== undefined) found++;
  return { microseconds: (cpuMs(before) * 1_000) / lookups, found: found / lookups };
};

const megabytes = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
};

const memoryBefore = megabytes();
const before = process.cpuUsage();
const places = await openPlaces(process.argv[2] ?? '');
const openMs = cpuMs(before);
// Runs before the measurement, so that its own allocations do not count.
for (let count = 0; count < lookups; count++) places.find(kinds.anywhere());
const grownMegabytes = megabytes() - memoryBefore;
const measured = {
  openMs,
  anywhere: measureLookups(places, kinds.anywhere),
  crowded: measureLookups(places, kinds.crowded),
  megabytes: grownMegabytes,
  placesFile: places.about,
  accuracy: lacksTestPoints === false ? evaluatePlaces(places, readTestPoints()) : undefined,
};
process.stdout.write(`${JSON.stringify(measured)}\n`);
