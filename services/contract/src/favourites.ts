import { defineRoute } from './defineRoute.ts';
import { bodyErrors, serverErrors } from './errors.ts';
import { mediaItemPage } from './mediaItem.ts';
import { MediaItemsRequest } from './mediaItems.ts';
import { CursorQuery } from './query.ts';

export const listFavourites = defineRoute({
  operationId: 'listFavourites',
  method: 'get',
  path: '/v1/favourites',
  summary: 'List favourites',
  description: 'Newest first, without hidden items and items in the trash.',
  tag: 'library',
  auth: 'bearer',
  feature: 'favourites',
  query: CursorQuery,
  responses: mediaItemPage,
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});

export const addToFavourites = defineRoute({
  operationId: 'addToFavourites',
  method: 'post',
  path: '/v1/favourites',
  summary: 'Add media items to the favourites',
  tag: 'library',
  auth: 'bearer',
  feature: 'favourites',
  body: MediaItemsRequest,
  example: { body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'All are favourites.' } },
  errors: [...bodyErrors, 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});

export const removeFromFavourites = defineRoute({
  operationId: 'removeFromFavourites',
  method: 'delete',
  path: '/v1/favourites',
  summary: 'Remove media items from the favourites',
  tag: 'library',
  auth: 'bearer',
  feature: 'favourites',
  body: MediaItemsRequest,
  example: { body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'None of them is a favourite.' } },
  errors: [...bodyErrors, 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});
