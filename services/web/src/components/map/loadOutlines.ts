import type { Feature, FeatureCollection, MultiLineString, Position } from 'geojson';
import { feature, mesh, type Topology } from 'topojson-client';
import outlinesUrl from 'world-atlas/countries-50m.json?url';

/** Land, and the borders between countries. */
export interface Outlines {
  readonly land: FeatureCollection;
  readonly borders: MultiLineString;
}

let loading: Promise<Outlines> | undefined;

/**
 * The outlines of the world that ship with the app, at a scale of 1:50 million, from Natural Earth (public domain). They are read once; a
 * failed attempt is made again by the next call.
 *
 * @throws Error when they cannot be had.
 */
export const loadOutlines = (): Promise<Outlines> => {
  loading ??= readOutlines().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
};

async function readOutlines(): Promise<Outlines> {
  const answer = await fetch(outlinesUrl);
  if (!answer.ok) throw new Error(`The outlines of the map were answered with ${answer.status}.`);
  const topology = (await answer.json()) as Topology<'countries' | 'land'>;
  const land = feature(topology, topology.objects.land);
  return {
    land: { ...land, features: land.features.map(unwrap) },
    borders: mesh(topology, topology.objects.countries, (a, b) => a !== b),
  };
}

function unwrap(land: Feature): Feature {
  const { geometry } = land;
  if (geometry.type === 'Polygon')
    return { ...land, geometry: { ...geometry, coordinates: geometry.coordinates.map(unwrapRing) } };
  if (geometry.type === 'MultiPolygon') {
    const coordinates = geometry.coordinates.map((rings) => rings.map(unwrapRing));
    return { ...land, geometry: { ...geometry, coordinates } };
  }
  return land;
}

/** How many degrees the position of a ring lies beyond its raw longitude, after a step from one longitude to another. */
const stepOver = (from: number, to: number): number => (to - from > 180 ? -360 : to - from < -180 ? 360 : 0);

/**
 * A ring that goes on beyond the 180th meridian instead of jumping to the other end of the world; one that goes around a pole is closed along that
 * pole. In degrees; maps draw what lies beyond 180° at the other end.
 */
export const unwrapRing = (ring: readonly Position[]): Position[] => {
  let offset = 0;
  let before: number | undefined;
  const unwrapped = ring.map((position) => {
    const [longitude = 0, latitude = 0] = position;
    offset += before === undefined ? 0 : stepOver(before, longitude);
    before = longitude;
    return [longitude + offset, latitude];
  });
  const [first] = unwrapped;
  const last = unwrapped.at(-1);
  if (first === undefined || last === undefined || first[0] === last[0]) return unwrapped;
  const pole = (first[1] ?? 0) < 0 ? -90 : 90;
  return [...unwrapped, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
};
