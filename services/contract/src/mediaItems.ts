import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, fullErrors, inputErrors, serverErrors } from './errors.ts';
import { maxDescriptionLength } from './limits.ts';
import { MediaItemDetails, mediaItemPage, MediaItemUpdate } from './mediaItem.ts';
import { CursorQuery, queryFlag } from './query.ts';
import { Ids, optionalText } from './requests.ts';
import { Id, word } from './scalars.ts';
import { mediaItemCategories, mediaItemStatuses, mediaItemTypes } from './vocabulary.ts';

const MediaItemParams = z.object({ id: Id });

export const MediaItemsRequest = z.strictObject({ mediaItems: Ids }).meta({
  id: 'MediaItemsRequest',
  description: 'Ids of media items. If one of them is unknown, the response is 404 and nothing changes.',
});
export type MediaItemsRequest = z.infer<typeof MediaItemsRequest>;

export const MediaItemsQuery = CursorQuery.extend({
  type: word(mediaItemTypes).optional().meta({ description: 'Only items of this type; case-insensitive.' }),
  category: word(mediaItemCategories)
    .optional()
    .meta({ description: 'Only items of this category; case-insensitive.' }),
  status: word(mediaItemStatuses).optional().meta({ description: 'Only items of this status; case-insensitive.' }),
});
export type MediaItemsQuery = z.infer<typeof MediaItemsQuery>;

/** Text parts of an upload. They precede the file. */
export const UploadFields = z.strictObject({
  creationTime: z.iso
    .datetime({ offset: true })
    .refine(isWithinPhotography, 'must be between the years 1800 and 9998')
    .optional()
    .meta({
      description:
        'When the item was taken, RFC 3339 with any offset, for files without this information. The offset is kept; `Z` is `+00:00`, and ' +
        '`-00:00` gives the instant only. A time more than a day in the future is ignored.',
      example: '2022-04-03T12:56:11+05:30',
    }),
  description: optionalText(maxDescriptionLength),
});
export type UploadFields = z.infer<typeof UploadFields>;

export const UploadedMediaItem = z.object({ id: Id }).meta({ id: 'UploadedMediaItem', description: 'The item’s id.' });
export type UploadedMediaItem = z.infer<typeof UploadedMediaItem>;

export const listMediaItems = defineRoute({
  operationId: 'listMediaItems',
  method: 'get',
  path: '/v1/mediaItems',
  summary: 'List media items',
  description: 'Newest first, without hidden items and items in the trash. Includes all statuses by default.',
  tag: 'library',
  auth: 'bearer',
  query: MediaItemsQuery,
  example: { query: { type: 'PHOTO', limit: '50' } },
  responses: mediaItemPage,
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', ...serverErrors],
});

export const uploadMediaItem = defineRoute({
  operationId: 'uploadMediaItem',
  method: 'post',
  path: '/v1/mediaItems',
  summary: 'Upload a photo or video',
  description:
    'The type of the file is detected from its bytes. The same bytes are the same item, restored if it was in the trash, so an upload can be ' +
    'repeated safely. If the stored original of that item is damaged or missing, the uploaded bytes replace it. To detect that, the server may ' +
    'read the stored original before it responds.',
  tag: 'library',
  auth: 'bearer',
  body: { multipart: UploadFields, file: 'file' },
  example: { hasPhoto: true },
  responses: {
    200: { description: 'An item with these bytes already exists.', schema: UploadedMediaItem, headers: ['Location'] },
    201: { description: 'Stored; processing has started.', schema: UploadedMediaItem, headers: ['Location'] },
  },
  errors: [...bodyErrors, 'NOT_MEDIA', 'UNAUTHORIZED', ...fullErrors, ...serverErrors],
});

export const getMediaItem = defineRoute({
  operationId: 'getMediaItem',
  method: 'get',
  path: '/v1/mediaItems/{id}',
  summary: 'Get a media item',
  description: 'Includes hidden items and items in the trash.',
  tag: 'library',
  auth: 'bearer',
  params: MediaItemParams,
  responses: { 200: { description: 'The item.', schema: MediaItemDetails } },
  errors: [...inputErrors, 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});

export const updateMediaItem = defineRoute({
  operationId: 'updateMediaItem',
  method: 'put',
  path: '/v1/mediaItems/{id}',
  summary: 'Update a media item',
  tag: 'library',
  auth: 'bearer',
  params: MediaItemParams,
  body: MediaItemUpdate,
  example: { body: { description: 'At the lake', favourite: true } },
  responses: { 204: { description: 'Updated.' } },
  errors: [...bodyErrors, 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});

export const deleteMediaItem = defineRoute({
  operationId: 'deleteMediaItem',
  method: 'delete',
  path: '/v1/mediaItems/{id}',
  summary: 'Delete a media item',
  description: 'Moves it to the trash. With `permanent=true`, deletes an item in the trash permanently.',
  tag: 'library',
  auth: 'bearer',
  params: MediaItemParams,
  query: z.object({
    permanent: queryFlag.prefault(false).meta({ description: 'Permanently delete an item in the trash.' }),
  }),
  responses: { 204: { description: 'Moved to the trash, or deleted permanently.' } },
  errors: [...inputErrors, 'NOT_IN_TRASH', 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});

// RFC 3339 requires four-digit years, and PostgreSQL has no year 0. The oldest photographs are from the 1820s.
function isWithinPhotography(value: string): boolean {
  const year = new Date(value).getUTCFullYear();
  return year >= 1800 && year <= 9998;
}
