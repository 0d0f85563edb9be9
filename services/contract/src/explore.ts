import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors } from './errors.ts';
import { cover, errorsOfOne, ExploredParams, exploredFields, exploreRoutes } from './exploreRoutes.ts';
import { MediaItem } from './mediaItem.ts';
import { ListQuery } from './query.ts';

const coverMediaItem = MediaItem.optional().meta({ description: 'Its newest visible item, until another is chosen.' });

/** Where some of a user's items were taken. What has no value is left out. */
export const Place = z
  .object({
    ...exploredFields,
    name: z.string().meta({ description: 'What a person would call it: town or city, else state, else country.' }),
    postcode: z.string().optional(),
    town: z.string().optional(),
    city: z.string().optional(),
    state: z.string().optional(),
    country: z.string().optional().meta({ description: 'In English.', example: 'Italy' }),
    coverMediaItem,
  })
  .meta({ id: 'Place', description: 'Where some items were taken. What has no value is left out.' });
export type Place = z.infer<typeof Place>;

/** What is seen on some of a user's items. */
export const Thing = z
  .object({
    ...exploredFields,
    name: z.string().meta({ description: 'An everyday English noun.', example: 'Dog' }),
    coverMediaItem,
  })
  .meta({ id: 'Thing', description: 'What is seen on some items.' });
export type Thing = z.infer<typeof Thing>;

/** What can be changed of a place or a thing. */
export const CoverUpdate = z
  .strictObject({ coverMediaItemId: cover })
  .meta({ id: 'CoverUpdate', description: 'What can be changed of a place or a thing.' });
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
    list: 'Where something visible was taken, by name.',
    ofItem: 'One, with the postcode of the item, or none.',
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
  descriptions: { list: 'What is seen on something visible, by name.', ofItem: 'By name.' },
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
    responses: { 204: { description: 'Changed.' } },
    errors: [...bodyErrors, ...errorsOfOne],
  });

export const updatePlace = coverRoute('Place', 'places');
export const updateThing = coverRoute('Thing', 'things');
