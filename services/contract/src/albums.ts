import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, inputErrors, serverErrors } from './errors.ts';
import { maxDescriptionLength, maxNameLength } from './limits.ts';
import { MediaItem, mediaItemPage } from './mediaItem.ts';
import { MediaItemsRequest } from './mediaItems.ts';
import { CursorQuery, ListQuery, queryFlag } from './query.ts';
import { changes, clearableText, optionalText } from './requests.ts';
import { Id, line, Timestamp } from './scalars.ts';

export const Album = z
  .object({
    id: Id,
    userId: Id.meta({ description: 'Id of the owner.' }),
    name: z.string(),
    description: z.string().optional(),
    coverMediaItemId: Id.optional(),
    coverMediaItem: MediaItem.optional().meta({ description: 'Omitted while the album has no visible items.' }),
    shared: z.boolean().meta({ description: 'True if anyone with the link can view the album.' }),
    shareId: Id.optional().meta({
      description: 'The id for `GET /v1/sharing/{id}` while the album is shared. Sharing it again creates a new one.',
    }),
    hidden: z.boolean(),
    mediaItemsCount: z.int().min(0).meta({ description: 'Number of visible items.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Album', description: 'An album of a user. Fields without a value are omitted.' });
export type Album = z.infer<typeof Album>;

export const AlbumCreate = z
  .strictObject({
    name: line(maxNameLength),
    description: optionalText(maxDescriptionLength),
    coverMediaItemId: Id.optional(),
    shared: z.boolean().default(false),
    hidden: z.boolean().default(false),
  })
  .meta({ id: 'AlbumCreate', description: 'A new album.' });
export type AlbumCreate = z.infer<typeof AlbumCreate>;

export const AlbumUpdate = changes({
  name: line(maxNameLength),
  description: clearableText(maxDescriptionLength),
  coverMediaItemId: Id.nullable().meta({ description: '`null`: choose the cover automatically.' }),
  shared: z.boolean(),
  hidden: z.boolean(),
}).meta({ id: 'AlbumUpdate', description: 'At least one field. Omitted fields stay unchanged.' });
export type AlbumUpdate = z.infer<typeof AlbumUpdate>;

/** Sort orders of albums; `-` means descending. */
export const albumSorts = ['name', '-name', 'createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const;

const AlbumParams = z.object({ id: Id });

const singleItemErrors = ['UNAUTHORIZED', 'NOT_FOUND', ...serverErrors] as const;

export const listAlbums = defineRoute({
  operationId: 'listAlbums',
  method: 'get',
  path: '/v1/albums',
  summary: 'List albums',
  description: 'Sorted by name by default. Excludes hidden albums by default.',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  query: ListQuery.extend({
    sort: z
      .enum(albumSorts, { error: `must be one of ${albumSorts.join(', ')}` })
      .prefault('name')
      .meta({ description: 'The sort order. `-` means descending.' }),
    shared: queryFlag.optional().meta({ description: '`true`: only shared albums; `false`: only others.' }),
    hidden: queryFlag.prefault(false).meta({ description: '`true`: only hidden albums; `false`: only others.' }),
  }),
  example: { query: { sort: 'name' } },
  responses: { 200: { description: 'One page.', schema: z.array(Album), headers: ['Link', 'X-Total-Count'] } },
  errors: ['VALIDATION_FAILED', ...singleItemErrors],
});

export const createAlbum = defineRoute({
  operationId: 'createAlbum',
  method: 'post',
  path: '/v1/albums',
  summary: 'Create an album',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  body: AlbumCreate,
  example: { body: { name: 'Summer', description: 'At the lake' } },
  responses: { 201: { description: 'Created.', schema: Album, headers: ['Location'] } },
  errors: [...bodyErrors, ...singleItemErrors],
});

export const getAlbum = defineRoute({
  operationId: 'getAlbum',
  method: 'get',
  path: '/v1/albums/{id}',
  summary: 'Get an album',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  params: AlbumParams,
  example: { params: { id: '$ALBUM' } },
  responses: { 200: { description: 'The album.', schema: Album } },
  errors: [...inputErrors, ...singleItemErrors],
});

export const updateAlbum = defineRoute({
  operationId: 'updateAlbum',
  method: 'put',
  path: '/v1/albums/{id}',
  summary: 'Update an album',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  params: AlbumParams,
  body: AlbumUpdate,
  example: { params: { id: '$ALBUM' }, body: { name: 'Summer 2024', shared: true } },
  responses: { 204: { description: 'Updated.' } },
  errors: [...bodyErrors, ...singleItemErrors],
});

export const deleteAlbum = defineRoute({
  operationId: 'deleteAlbum',
  method: 'delete',
  path: '/v1/albums/{id}',
  summary: 'Delete an album',
  description: 'Its photos and videos stay in the library.',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  params: AlbumParams,
  example: { params: { id: '$ALBUM' } },
  responses: { 204: { description: 'Deleted.' } },
  errors: [...inputErrors, ...singleItemErrors],
});

export const listAlbumMediaItems = defineRoute({
  operationId: 'listAlbumMediaItems',
  method: 'get',
  path: '/v1/albums/{id}/mediaItems',
  summary: 'List the media items of an album',
  description: 'Newest first, without hidden items and items in the trash.',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  params: AlbumParams,
  query: CursorQuery,
  example: { params: { id: '$ALBUM' } },
  responses: mediaItemPage,
  errors: [...inputErrors, ...singleItemErrors],
});

export const addToAlbum = defineRoute({
  operationId: 'addToAlbum',
  method: 'post',
  path: '/v1/albums/{id}/mediaItems',
  summary: 'Add media items to an album',
  description: 'Items that are already in the album stay in it once.',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  params: AlbumParams,
  body: MediaItemsRequest,
  example: { params: { id: '$ALBUM' }, body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'All are in the album.' } },
  errors: [...bodyErrors, ...singleItemErrors],
});

export const removeFromAlbum = defineRoute({
  operationId: 'removeFromAlbum',
  method: 'delete',
  path: '/v1/albums/{id}/mediaItems',
  summary: 'Remove media items from an album',
  description: 'They stay in the library.',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  params: AlbumParams,
  body: MediaItemsRequest,
  example: { params: { id: '$ALBUM' }, body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'None of them is in the album.' } },
  errors: [...bodyErrors, ...singleItemErrors],
});

export const listMediaItemAlbums = defineRoute({
  operationId: 'listMediaItemAlbums',
  method: 'get',
  path: '/v1/mediaItems/{id}/albums',
  summary: 'List the albums of a media item',
  description: 'Sorted by name, without hidden albums.',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  params: AlbumParams,
  query: ListQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Album), headers: ['Link'] } },
  errors: [...inputErrors, ...singleItemErrors],
});
