import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import { maxFilenameLength } from './limits.ts';
import { queryInteger } from './query.ts';
import { Id, text } from './scalars.ts';

export const FileParams = z.object({
  userId: Id,
  mediaItemId: Id,
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/)
    .meta({ description: 'The object of the item.' }),
});
export type FileParams = z.infer<typeof FileParams>;

/** The parameters of a signed link. The signature covers them and the path. */
export const FileQuery = z.object({
  type: z
    .string()
    .regex(/^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,126}$/)
    .meta({ description: 'The content type of the response.', example: 'image/jpeg' }),
  filename: text(1, maxFilenameLength).optional().meta({ description: 'The file name for downloads.' }),
  epoch: queryInteger(0, 2 ** 31 - 1)
    .optional()
    .meta({
      description:
        'The epoch of the user’s links, present in every link. A password change, or signing out everywhere, starts a new epoch and revokes earlier links.',
    }),
  expires: queryInteger(0, Number.MAX_SAFE_INTEGER).meta({
    description: 'The expiry of the link, in seconds since 1970, UTC.',
  }),
  key: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .meta({ description: 'The id of the signing key.' }),
  signature: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
});
export type FileQuery = z.infer<typeof FileQuery>;

export const getFile = defineRoute({
  operationId: 'getFile',
  method: 'get',
  path: '/v1/files/{userId}/{mediaItemId}/{name}',
  summary: 'Get the bytes of a signed link',
  description:
    'Use the URLs in a media item unchanged. Supports `Range`, `If-Range` and `If-None-Match`. An invalid, expired or revoked link is 404. ' +
    'Changing the password, signing out everywhere and deleting the account revoke all links of a user, on every replica within two seconds. An ' +
    'original with an unexpected size, or with damage found by the last check, is `ORIGINAL_DAMAGED`.',
  tag: 'files',
  auth: 'link',
  params: FileParams,
  query: FileQuery,
  example: { link: '$FILE', saveAs: 'original.jpg' },
  responses: {
    200: {
      description: 'All bytes.',
      binary: ['image/*', 'video/*'],
      headers: ['ETag', 'Cache-Control', 'Accept-Ranges'],
    },
    206: {
      description: 'The requested range.',
      binary: ['image/*', 'video/*'],
      headers: ['ETag', 'Cache-Control', 'Accept-Ranges', 'Content-Range'],
    },
    304: { description: 'The client’s bytes are current.', headers: ['ETag', 'Cache-Control'] },
  },
  errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'ORIGINAL_DAMAGED', ...serverErrors],
});
