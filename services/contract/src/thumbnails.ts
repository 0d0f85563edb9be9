import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import { queryInteger } from './query.ts';
import { Id } from './scalars.ts';

/**
 * The parameters of a thumbnail’s link. One signature covers one version of the thumbnails of all of a user’s items.
 */
export const ThumbnailParams = z.object({
  userId: Id,
  name: z
    .string()
    .regex(/^thumbnail-\d{1,9}\.webp$/)
    .meta({ description: 'The version of the thumbnails.' }),
  epoch: queryInteger(0, 2 ** 31 - 1).meta({
    description:
      'The epoch of the user’s links. A password change, or signing out everywhere, starts a new epoch and revokes earlier links.',
  }),
  expires: queryInteger(0, Number.MAX_SAFE_INTEGER).meta({
    description: 'The expiry of the link, in seconds since 1970, UTC.',
  }),
  key: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .meta({ description: 'The id of the signing key.' }),
  signature: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
  mediaItemId: Id,
});
export type ThumbnailParams = z.infer<typeof ThumbnailParams>;

const fileHeaders = ['ETag', 'Cache-Control', 'Accept-Ranges'] as const;

export const getThumbnail = defineRoute({
  operationId: 'getThumbnail',
  method: 'get',
  path: '/v1/thumbnails/{userId}/{name}/{epoch}/{expires}/{key}/{signature}/{mediaItemId}',
  summary: 'Get a thumbnail of a grid',
  description:
    'The URL consists of a `thumbnailPrefix` of a grid and the id of an item. Supports `Range`, `If-Range` and `If-None-Match`. An invalid, ' +
    'expired or revoked link is 404. So is the id of a hidden item: its thumbnail needs a separate link.',
  tag: 'files',
  auth: 'link',
  params: ThumbnailParams,
  example: { link: '$THUMBNAIL', saveAs: 'thumbnail.webp' },
  responses: {
    200: { description: 'All bytes.', binary: ['image/webp'], headers: fileHeaders },
    206: {
      description: 'The requested range.',
      binary: ['image/webp'],
      headers: [...fileHeaders, 'Content-Range'],
    },
    304: { description: 'The client’s bytes are current.', headers: ['ETag', 'Cache-Control'] },
  },
  errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE', ...serverErrors],
});
