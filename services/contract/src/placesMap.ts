import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import { maxMapClusters, maxMapZoom } from './limits.ts';
import { queryInteger } from './query.ts';
import { Id } from './scalars.ts';

const latitude = z.number().min(-90).max(90).meta({ description: 'Degrees north, WGS 84.' });
const longitude = z.number().min(-180).max(180).meta({ description: 'Degrees east, WGS 84.' });

export const MapCluster = z
  .object({
    latitude,
    longitude,
    count: z.int().min(1).meta({ description: 'Number of visible items.' }),
    bounds: z
      .object({ west: longitude, south: latitude, east: longitude, north: latitude })
      .meta({ description: 'The part of the map with all of these items.' }),
    coverMediaItemId: Id.meta({ description: 'One of the items.' }),
    thumbnailUrl: z
      .string()
      .optional()
      .meta({ format: 'uri-reference', description: 'The cover: a signed link that needs no header and expires.' }),
  })
  .meta({
    id: 'MapCluster',
    description: 'Media items taken close to each other, at their mean position.',
  });
export type MapCluster = z.infer<typeof MapCluster>;

const number = String.raw`-?\d{1,3}(\.\d{1,15})?`;

/** A part of the world as `west,south,east,north` in degrees. */
const Bounds = z
  .string()
  .regex(new RegExp(`^${number},${number},${number},${number}$`), 'must be west,south,east,north in degrees')
  .transform((value) => {
    const [west = 0, south = 0, east = 0, north = 0] = value.split(',').map(Number);
    return { west, south, east, north };
  })
  .refine(
    ({ west, south, east, north }) =>
      Math.max(Math.abs(west), Math.abs(east)) <= 180 && -90 <= south && south <= north && north <= 90,
    'must lie within -180,-90,180,90, with south no more than north',
  );

export const getPlacesMap = defineRoute({
  operationId: 'getPlacesMap',
  method: 'get',
  path: '/v1/explore/places/map',
  summary: 'Get the positions of media items for a map',
  description:
    `Clusters of visible items with a position, for a map of this zoom; those with most items first. If there were more than ${maxMapClusters} ` +
    'clusters, they become larger. Clusters at the edge of the bounds include items beyond it.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'places',
  query: z.object({
    bounds: Bounds.prefault('-180,-90,180,90').meta({
      description:
        '`west,south,east,north` in degrees; the whole world by default. If west is greater than east, the part crosses the 180th meridian.',
      example: '5.9,45.8,10.5,47.8',
    }),
    zoom: queryInteger(0, maxMapZoom)
      .prefault(0)
      .meta({ description: 'At 0 the world is 256 pixels wide; each step doubles the scale.' }),
  }),
  example: { query: { bounds: '5.9,45.8,10.5,47.8', zoom: '8' } },
  responses: { 200: { description: 'All clusters.', schema: z.array(MapCluster) } },
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});
