import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, inputErrors, serverErrors } from './errors.ts';
import { maxDescriptionLength, maxNameLength } from './limits.ts';
import { MediaItem, mediaItemPage } from './mediaItem.ts';
import { MediaItemsRequest } from './mediaItems.ts';
import { CursorQuery, ListQuery, queryFlag } from './query.ts';
import { changes, clearableText, optionalText } from './requests.ts';
import { Id, line, Timestamp } from './scalars.ts';

/** Media items that a user put together. What has no value is left out. */
export const Album = z
  .object({
    id: Id,
    userId: Id.meta({ description: 'Whose it is.' }),
    name: z.string(),
    description: z.string().optional(),
    coverMediaItemId: Id.optional(),
    coverMediaItem: MediaItem.optional().meta({ description: 'Left out while the album shows no items.' }),
    shared: z.boolean().meta({ description: 'Whether anybody with its link can see it.' }),
    shareId: Id.optional().meta({
      description:
        'While it is shared, the id that `GET /v1/sharing/{id}` takes. Sharing it again after sharing was ended makes a new one.',
    }),
    hidden: z.boolean(),
    mediaItemsCount: z.int().min(0).meta({ description: 'How many of its items are visible.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Album', description: 'Media items that a user put together. What has no value is left out.' });
export type Album = z.infer<typeof Album>;

/** A new album. */
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

/** What can be changed of an album. */
export const AlbumUpdate = changes({
  name: line(maxNameLength),
  description: clearableText(maxDescriptionLength),
  coverMediaItemId: Id.nullable().meta({ description: '`null`: chosen automatically again.' }),
  shared: z.boolean(),
  hidden: z.boolean(),
}).meta({ id: 'AlbumUpdate', description: 'At least one of these; what is left out stays as it is.' });
export type AlbumUpdate = z.infer<typeof AlbumUpdate>;

/** By what albums are sorted; `-` is descending. */
export const albumSorts = ['name', '-name', 'createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const;

const AlbumParams = z.object({ id: Id });

const errorsOfOne = ['UNAUTHORIZED', 'NOT_FOUND', ...serverErrors] as const;

export const listAlbums = defineRoute({
  operationId: 'listAlbums',
  method: 'get',
  path: '/v1/albums',
  summary: 'List albums',
  description: 'By name unless asked otherwise; without hidden ones, or these alone.',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  query: ListQuery.extend({
    sort: z
      .enum(albumSorts, { error: `must be one of ${albumSorts.join(', ')}` })
      .prefault('name')
      .meta({ description: 'By what; with `-` the last comes first.' }),
    shared: queryFlag.optional().meta({ description: 'Only albums that are shared, or only those that are not.' }),
    hidden: queryFlag.prefault(false).meta({ description: 'The hidden albums instead of the others.' }),
  }),
  example: { query: { sort: 'name' } },
  responses: { 200: { description: 'One page.', schema: z.array(Album), headers: ['Link', 'X-Total-Count'] } },
  errors: ['VALIDATION_FAILED', ...errorsOfOne],
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
  errors: [...bodyErrors, ...errorsOfOne],
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
  errors: [...inputErrors, ...errorsOfOne],
});

export const updateAlbum = defineRoute({
  operationId: 'updateAlbum',
  method: 'put',
  path: '/v1/albums/{id}',
  summary: 'Change an album',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  params: AlbumParams,
  body: AlbumUpdate,
  example: { params: { id: '$ALBUM' }, body: { name: 'Summer 2024', shared: true } },
  responses: { 204: { description: 'Changed.' } },
  errors: [...bodyErrors, ...errorsOfOne],
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
  errors: [...inputErrors, ...errorsOfOne],
});

export const listAlbumMediaItems = defineRoute({
  operationId: 'listAlbumMediaItems',
  method: 'get',
  path: '/v1/albums/{id}/mediaItems',
  summary: 'List the media items of an album',
  description: 'Newest first, without hidden ones and those in the trash.',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  params: AlbumParams,
  query: CursorQuery,
  example: { params: { id: '$ALBUM' } },
  responses: mediaItemPage,
  errors: [...inputErrors, ...errorsOfOne],
});

export const addToAlbum = defineRoute({
  operationId: 'addToAlbum',
  method: 'post',
  path: '/v1/albums/{id}/mediaItems',
  summary: 'Put media items into an album',
  description: 'One that is in it already stays there once.',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  params: AlbumParams,
  body: MediaItemsRequest,
  example: { params: { id: '$ALBUM' }, body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'All are in the album.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});

export const removeFromAlbum = defineRoute({
  operationId: 'removeFromAlbum',
  method: 'delete',
  path: '/v1/albums/{id}/mediaItems',
  summary: 'Take media items out of an album',
  description: 'They stay in the library.',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  params: AlbumParams,
  body: MediaItemsRequest,
  example: { params: { id: '$ALBUM' }, body: { mediaItems: ['$ITEM'] } },
  responses: { 204: { description: 'None is in the album any more.' } },
  errors: [...bodyErrors, ...errorsOfOne],
});

export const listMediaItemAlbums = defineRoute({
  operationId: 'listMediaItemAlbums',
  method: 'get',
  path: '/v1/mediaItems/{id}/albums',
  summary: 'List the albums that a media item is in',
  description: 'By name, without hidden ones.',
  tag: 'albums',
  auth: 'bearer',
  feature: 'albums',
  params: AlbumParams,
  query: ListQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Album), headers: ['Link'] } },
  errors: [...inputErrors, ...errorsOfOne],
});
