import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { inputErrors, serverErrors } from './errors.ts';
import { CursorQuery, queryInteger } from './query.ts';
import { Id, LocalTime, Timestamp } from './scalars.ts';
import { mediaItemCategories, mediaItemTypes, sharedRenditions } from './vocabulary.ts';

const link = (description: string) =>
  z.string().meta({
    format: 'uri-reference',
    description: `${description} A signed link that needs no header. It is valid for at most 15 minutes, and only while the album is shared.`,
  });

export const SharedMediaItem = z
  .object({
    id: Id,
    mediaItemType: z.enum(mediaItemTypes),
    mediaItemCategory: z.enum(mediaItemCategories),
    placeholder: z.base64().optional().meta({ description: 'A ThumbHash: a blurred preview in about 25 bytes.' }),
    sourceUrl: link('The largest version without metadata; never the original.').optional(),
    previewUrl: link(
      'A photo (longer side 1440 px) or a browser-playable video. Omitted until a version without metadata exists.',
    ).optional(),
    thumbnailUrl: link('A still image, longer side 320 px.').optional(),
    posterUrl: link('For a video: a still of 1440 px (longer side).').optional(),
    motionUrl: link('For a live or motion photo: its short video, once a version without metadata exists.').optional(),
    width: z.int().min(1).optional().meta({ description: 'Width of the original in pixels, after rotation.' }),
    height: z.int().min(1).optional().meta({ description: 'Height of the original in pixels, after rotation.' }),
    durationSeconds: z.number().min(0).optional().meta({ description: 'Duration of a video in seconds.' }),
    localTime: LocalTime.meta({
      description:
        'The local time when the item was taken, without its zone or place. Lists are sorted by it, newest first, then by `id`.',
    }),
  })
  .meta({
    id: 'SharedMediaItem',
    description: 'A photo or video for visitors of a shared album. Fields without a value are omitted.',
  });
export type SharedMediaItem = z.infer<typeof SharedMediaItem>;

export const SharedAlbum = z
  .object({
    id: Id.meta({ description: 'The id of the share. The id of the album is hidden from visitors.' }),
    name: z.string(),
    description: z.string().optional(),
    coverMediaItemId: Id.optional(),
    coverMediaItem: SharedMediaItem.optional().meta({ description: 'Omitted while the album has no visible items.' }),
    shared: z.literal(true).meta({ description: 'Always true.' }),
    mediaItemsCount: z.int().min(0).meta({ description: 'Number of items shown to visitors.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'SharedAlbum', description: 'An album for visitors. Fields without a value are omitted.' });
export type SharedAlbum = z.infer<typeof SharedAlbum>;

const SharedAlbumParams = z.object({ id: Id.meta({ description: 'The `shareId` of an album.' }) });

const visitorErrors = [...inputErrors, 'NOT_FOUND', 'TOO_MANY_ATTEMPTS', ...serverErrors] as const;

const accessDescription =
  'Anyone with the `shareId` of the album may call it. Returns 404 if the album was unshared or deleted, or if its owner may not share. ' +
  'Repeated requests for unknown ids return 429 for a while.';

export const getSharedAlbum = defineRoute({
  operationId: 'getSharedAlbum',
  method: 'get',
  path: '/v1/sharing/{id}',
  summary: 'Get a shared album',
  description: accessDescription,
  tag: 'sharing',
  auth: 'none',
  params: SharedAlbumParams,
  example: { params: { id: '$SHARE' } },
  responses: { 200: { description: 'The album.', schema: SharedAlbum } },
  errors: visitorErrors,
});

export const listSharedMediaItems = defineRoute({
  operationId: 'listSharedMediaItems',
  method: 'get',
  path: '/v1/sharing/{id}/mediaItems',
  summary: 'List the media items of a shared album',
  description: `Newest first; only items that are ready, without hidden items and items in the trash. ${accessDescription}`,
  tag: 'sharing',
  auth: 'none',
  params: SharedAlbumParams,
  query: CursorQuery,
  example: { params: { id: '$SHARE' } },
  responses: {
    200: {
      description: 'One page.',
      schema: z.array(SharedMediaItem),
      headers: ['Link', 'X-Total-Count'],
    },
  },
  errors: visitorErrors,
});

export const SharedFileParams = z.object({
  shareId: Id,
  mediaItemId: Id,
  rendition: z.enum(sharedRenditions).meta({ description: 'The version; originals are not available.' }),
});
export type SharedFileParams = z.infer<typeof SharedFileParams>;

/** The expiry and signature of a visitor’s link. */
export const SharedFileQuery = z.object({
  expires: queryInteger(0, Number.MAX_SAFE_INTEGER).meta({
    description: 'The latest expiry of the link, in seconds since 1970, UTC.',
  }),
  key: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .meta({ description: 'The id of the signing key.' }),
  signature: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
});
export type SharedFileQuery = z.infer<typeof SharedFileQuery>;

const fileHeaders = ['ETag', 'Cache-Control', 'Accept-Ranges'] as const;

export const getSharedFile = defineRoute({
  operationId: 'getSharedFile',
  method: 'get',
  path: '/v1/sharing/{shareId}/files/{mediaItemId}/{rendition}',
  summary: 'Download a shared file',
  description:
    'Use the URLs in a shared media item unchanged. Supports `Range`, `If-Range` and `If-None-Match`. Returns 404 ' +
    'for an invalid or expired link, and once the album is unshared or no longer shows the item.',
  tag: 'sharing',
  auth: 'link',
  params: SharedFileParams,
  query: SharedFileQuery,
  example: { link: '$SHARED', saveAs: 'shared.webp' },
  responses: {
    200: { description: 'The complete file.', binary: ['image/*', 'video/*'], headers: fileHeaders },
    206: {
      description: 'The requested range.',
      binary: ['image/*', 'video/*'],
      headers: [...fileHeaders, 'Content-Range'],
    },
    304: { description: 'Not modified.', headers: ['ETag', 'Cache-Control'] },
  },
  errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE', ...serverErrors],
});
