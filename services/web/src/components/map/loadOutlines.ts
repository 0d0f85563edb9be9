import type { Feature, FeatureCollection, MultiLineString } from 'geojson';
import { feature, mesh, type Topology } from 'topojson-client';
import outlinesUrl from 'world-atlas/countries-50m.json?url';
import { unwrapRing } from './unwrapRing.ts';

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
