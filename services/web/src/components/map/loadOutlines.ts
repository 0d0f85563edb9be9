import type { Feature, FeatureCollection, MultiLineString, Position } from 'geojson';
import { feature, mesh, type Topology } from 'topojson-client';
import outlinesUrl from 'world-atlas/countries-50m.json?url';

export interface Outlines {
  readonly land: FeatureCollection;
  readonly borders: MultiLineString;
}

let loading: Promise<Outlines> | undefined;

/**
 * Loads the bundled outlines of the world, scale 1:50 million, from Natural Earth (public domain). Loads them once; the
 * next call retries after a failure.
 *
 * @throws Error if they fail to load
 */
export const loadOutlines = (): Promise<Outlines> => {
  loading ??= readOutlines().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
};

async function readOutlines(): Promise<Outlines> {
  const response = await fetch(outlinesUrl);
  if (!response.ok) throw new Error(`Map outlines failed to load: HTTP ${response.status}`);
  const topology = (await response.json()) as Topology<'countries' | 'land'>;
  const land = feature(topology, topology.objects.land);
  return {
    land: { ...land, features: land.features.map(unwrapFeature) },
    borders: mesh(topology, topology.objects.countries, (a, b) => a !== b),
  };
}

function unwrapFeature(land: Feature): Feature {
  const { geometry } = land;
  if (geometry.type === 'Polygon')
    return { ...land, geometry: { ...geometry, coordinates: geometry.coordinates.map(unwrapRing) } };
  if (geometry.type === 'MultiPolygon') {
    const coordinates = geometry.coordinates.map((rings) => rings.map(unwrapRing));
    return { ...land, geometry: { ...geometry, coordinates } };
  }
  return land;
}

/** Returns the offset to add after a step between two longitudes that crosses the 180th meridian, in degrees; else 0. */
const getOffsetChange = (from: number, to: number): number => (to - from > 180 ? -360 : to - from < -180 ? 360 : 0);

/**
 * Continues a ring beyond the 180th meridian instead of jumping to the other side of the map. Closes a ring around a
 * pole along that pole. In degrees; maps wrap longitudes beyond 180°.
 */
export const unwrapRing = (ring: readonly Position[]): Position[] => {
  let offset = 0;
  let before: number | undefined;
  const unwrapped = ring.map((position) => {
    const [longitude = 0, latitude = 0] = position;
    offset += before === undefined ? 0 : getOffsetChange(before, longitude);
    before = longitude;
    return [longitude + offset, latitude];
  });
  const [first] = unwrapped;
  const last = unwrapped.at(-1);
  if (first === undefined || last === undefined || first[0] === last[0]) return unwrapped;
  const pole = (first[1] ?? 0) < 0 ? -90 : 90;
  return [...unwrapped, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
};
