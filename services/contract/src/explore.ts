import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, inputErrors, serverErrors } from './errors.ts';
import { MediaItem } from './mediaItem.ts';
import { CursorQuery, ListQuery } from './query.ts';
import { Id, Timestamp } from './scalars.ts';

/** What everything has that a library is explored by. */
export const explored = {
  id: Id,
  coverMediaItemId: Id.optional(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

const coverMediaItem = MediaItem.optional().meta({ description: 'Its newest visible item, until another is chosen.' });

/** Where some of a user's items were taken. What has no value is left out. */
export const Place = z
  .object({
    ...explored,
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
    ...explored,
    name: z.string().meta({ description: 'An everyday English noun.', example: 'Dog' }),
    coverMediaItem,
  })
  .meta({ id: 'Thing', description: 'What is seen on some items.' });
export type Thing = z.infer<typeof Thing>;

/** A cover that is chosen by hand. */
export const cover = Id.nullable().meta({
  description: 'One of its visible items; `null`: chosen automatically again.',
});

/** What can be changed of a place or a thing. */
export const CoverUpdate = z
  .strictObject({ coverMediaItemId: cover })
  .meta({ id: 'CoverUpdate', description: 'What can be changed of a place or a thing.' });
export type CoverUpdate = z.infer<typeof CoverUpdate>;

const ExploreParams = z.object({ id: Id });

const errorsOfOne = ['UNAUTHORIZED', 'NOT_FOUND', ...serverErrors] as const;

export const listPlaces = defineRoute({
  operationId: 'listPlaces',
  method: 'get',
  path: '/v1/explore/places',
  summary: 'List places',
  description: 'Where something visible was taken, by name.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'places',
  query: ListQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Place), headers: ['Link', 'X-Total-Count'] } },
  errors: ['VALIDATION_FAILED', ...errorsOfOne],
});

export const getPlace = defineRoute({
  operationId: 'getPlace',
  method: 'get',
  path: '/v1/explore/places/{id}',
  summary: 'Get a place',
  tag: 'explore',
  auth: 'bearer',
  feature: 'places',
  params: ExploreParams,
  responses: { 200: { description: 'The place.', schema: Place } },
  errors: [...inputErrors, ...errorsOfOne],
});

export const updatePlace = defineRoute({
  operationId: 'updatePlace',
  method: 'put',
  path: '/v1/explore/places/{id}',
  summary: 'Choose the cover of a place',
  tag: 'explore',
  auth: 'bearer',
  feature: 'places',
  params: ExploreParams,
  body: CoverUpdate,
  responses: { 204: { description: 'Changed.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});

export const listPlaceMediaItems = defineRoute({
  operationId: 'listPlaceMediaItems',
  method: 'get',
  path: '/v1/explore/places/{id}/mediaItems',
  summary: 'List the media items of a place',
  description: 'Newest first, without hidden ones and those in the trash.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'places',
  params: ExploreParams,
  query: CursorQuery,
  responses: {
    200: { description: 'One page.', schema: z.array(MediaItem), headers: ['Link', 'X-Total-Count'] },
  },
  errors: [...inputErrors, ...errorsOfOne],
});

export const listMediaItemPlaces = defineRoute({
  operationId: 'listMediaItemPlaces',
  method: 'get',
  path: '/v1/mediaItems/{id}/places',
  summary: 'List the places of a media item',
  description: 'One, with the postcode of the item, or none.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'places',
  params: ExploreParams,
  query: ListQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Place), headers: ['Link'] } },
  errors: [...inputErrors, ...errorsOfOne],
});

export const listThings = defineRoute({
  operationId: 'listThings',
  method: 'get',
  path: '/v1/explore/things',
  summary: 'List things',
  description: 'What is seen on something visible, by name.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'things',
  query: ListQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Thing), headers: ['Link', 'X-Total-Count'] } },
  errors: ['VALIDATION_FAILED', ...errorsOfOne],
});

export const getThing = defineRoute({
  operationId: 'getThing',
  method: 'get',
  path: '/v1/explore/things/{id}',
  summary: 'Get a thing',
  tag: 'explore',
  auth: 'bearer',
  feature: 'things',
  params: ExploreParams,
  responses: { 200: { description: 'The thing.', schema: Thing } },
  errors: [...inputErrors, ...errorsOfOne],
});

export const updateThing = defineRoute({
  operationId: 'updateThing',
  method: 'put',
  path: '/v1/explore/things/{id}',
  summary: 'Choose the cover of a thing',
  tag: 'explore',
  auth: 'bearer',
  feature: 'things',
  params: ExploreParams,
  body: CoverUpdate,
  responses: { 204: { description: 'Changed.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});

export const listThingMediaItems = defineRoute({
  operationId: 'listThingMediaItems',
  method: 'get',
  path: '/v1/explore/things/{id}/mediaItems',
  summary: 'List the media items of a thing',
  description: 'Newest first, without hidden ones and those in the trash.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'things',
  params: ExploreParams,
  query: CursorQuery,
  responses: {
    200: { description: 'One page.', schema: z.array(MediaItem), headers: ['Link', 'X-Total-Count'] },
  },
  errors: [...inputErrors, ...errorsOfOne],
});

export const listMediaItemThings = defineRoute({
  operationId: 'listMediaItemThings',
  method: 'get',
  path: '/v1/mediaItems/{id}/things',
  summary: 'List the things on a media item',
  description: 'By name.',
  tag: 'explore',
  auth: 'bearer',
  feature: 'things',
  params: ExploreParams,
  query: ListQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Thing), headers: ['Link'] } },
  errors: [...inputErrors, ...errorsOfOne],
});
