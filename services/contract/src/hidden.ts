import { defineRoute } from './defineRoute.ts';
import { bodyErrors, serverErrors } from './errors.ts';
import { mediaItemPage } from './mediaItem.ts';
import { MediaItemsRequest } from './mediaItems.ts';
import { CursorQuery } from './query.ts';

export const listHidden = defineRoute({
  operationId: 'listHidden',
  method: 'get',
  path: '/v1/hidden',
  summary: 'List hidden media items',
  description: 'Newest first, without items in the trash.',
  tag: 'library',
  auth: 'bearer',
  feature: 'hidden',
  query: CursorQuery,
  responses: mediaItemPage,
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});

export const addToHidden = defineRoute({
  operationId: 'addToHidden',
  method: 'post',
  path: '/v1/hidden',
  summary: 'Hide media items',
  tag: 'library',
  auth: 'bearer',
  feature: 'hidden',
  body: MediaItemsRequest,
  example: { body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'All are hidden.' } },
  errors: [...bodyErrors, 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});

export const removeFromHidden = defineRoute({
  operationId: 'removeFromHidden',
  method: 'delete',
  path: '/v1/hidden',
  summary: 'Unhide media items',
  tag: 'library',
  auth: 'bearer',
  feature: 'hidden',
  body: MediaItemsRequest,
  example: { body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'None of them is hidden.' } },
  errors: [...bodyErrors, 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});
