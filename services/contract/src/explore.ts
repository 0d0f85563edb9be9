import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors } from './errors.ts';
import { cover, singleItemErrors, ExploredParams, exploredFields, exploreRoutes } from './exploreRoutes.ts';
import { MediaItem } from './mediaItem.ts';
import { ListQuery } from './query.ts';

const coverMediaItem = MediaItem.optional().meta({ description: 'The newest visible item by default.' });

export const Place = z
  .object({
    ...exploredFields,
    name: z.string().meta({ description: 'The most specific name: town or city, otherwise state, otherwise country.' }),
    postcode: z.string().optional(),
    town: z.string().optional(),
    city: z.string().optional(),
    state: z.string().optional(),
    country: z.string().optional().meta({ description: 'In English.', example: 'Italy' }),
    coverMediaItem,
  })
  .meta({ id: 'Place', description: 'A place where items were taken. Fields without a value are omitted.' });
export type Place = z.infer<typeof Place>;

export const Thing = z
  .object({
    ...exploredFields,
    name: z.string().meta({ description: 'An everyday English noun.', example: 'Dog' }),
    coverMediaItem,
  })
  .meta({ id: 'Thing', description: 'A thing on some items.' });
export type Thing = z.infer<typeof Thing>;

export const CoverUpdate = z
  .strictObject({ coverMediaItemId: cover })
  .meta({ id: 'CoverUpdate', description: 'The fields of a place or thing that can be changed.' });
export type CoverUpdate = z.infer<typeof CoverUpdate>;

export const {
  list: listPlaces,
  get: getPlace,
  listMediaItems: listPlaceMediaItems,
  listOfMediaItem: listMediaItemPlaces,
} = exploreRoutes({
  one: 'Place',
  many: 'Places',
  feature: 'places',
  entry: Place,
  listQuery: ListQuery,
  descriptions: {
    list: 'Places of visible items, by name.',
    ofItem: 'At most one, with the postcode of the item.',
  },
  preposition: 'of',
});

export const {
  list: listThings,
  get: getThing,
  listMediaItems: listThingMediaItems,
  listOfMediaItem: listMediaItemThings,
} = exploreRoutes({
  one: 'Thing',
  many: 'Things',
  feature: 'things',
  entry: Thing,
  listQuery: ListQuery,
  descriptions: { list: 'Things on visible items, by name.', ofItem: 'Sorted by name.' },
  preposition: 'on',
});

const coverRoute = (name: 'Place' | 'Thing', feature: 'places' | 'things') =>
  defineRoute({
    operationId: `update${name}`,
    method: 'put',
    path: `/v1/explore/${feature}/{id}`,
    summary: `Choose the cover of a ${name.toLowerCase()}`,
    tag: 'explore',
    auth: 'bearer',
    feature,
    params: ExploredParams,
    body: CoverUpdate,
    example: { params: { id: `$${name.toUpperCase()}` }, body: { coverMediaItemId: null } },
    responses: { 204: { description: 'Updated.' } },
    errors: [...bodyErrors, ...singleItemErrors],
  });

export const updatePlace = coverRoute('Place', 'places');
export const updateThing = coverRoute('Thing', 'things');
