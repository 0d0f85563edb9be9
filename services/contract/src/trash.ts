import { defineRoute } from './defineRoute.ts';
import { bodyErrors, serverErrors } from './errors.ts';
import { mediaItemPage } from './mediaItem.ts';
import { MediaItemsRequest } from './mediaItems.ts';
import { CursorQuery } from './query.ts';

export const listTrash = defineRoute({
  operationId: 'listTrash',
  method: 'get',
  path: '/v1/trash',
  summary: 'List the trash',
  description: 'Newest first, including hidden items.',
  tag: 'trash',
  auth: 'bearer',
  feature: 'trash',
  query: CursorQuery,
  responses: mediaItemPage,
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});

export const addToTrash = defineRoute({
  operationId: 'addToTrash',
  method: 'post',
  path: '/v1/trash',
  summary: 'Move media items to the trash',
  tag: 'trash',
  auth: 'bearer',
  feature: 'trash',
  body: MediaItemsRequest,
  example: { body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'All are in the trash.' } },
  errors: [...bodyErrors, 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});

export const restoreFromTrash = defineRoute({
  operationId: 'restoreFromTrash',
  method: 'delete',
  path: '/v1/trash',
  summary: 'Restore media items from the trash',
  description: 'They keep their albums, and stay hidden or favourites as before.',
  tag: 'trash',
  auth: 'bearer',
  feature: 'trash',
  body: MediaItemsRequest,
  example: { body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'None of them is in the trash.' } },
  errors: [...bodyErrors, 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});
