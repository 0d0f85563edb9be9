import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import { maxFilenameLength } from './limits.ts';
import { queryInteger } from './query.ts';
import { Id, text } from './scalars.ts';

/** Which object a signed link leads to. */
export const FileParams = z.object({
  userId: Id,
  mediaItemId: Id,
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/)
    .meta({ description: 'Which of the item’s objects.' }),
});
export type FileParams = z.infer<typeof FileParams>;

/** What a signed link says of the object, all of it covered by `signature` together with the path. */
export const FileQuery = z.object({
  type: z
    .string()
    .regex(/^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,126}$/)
    .meta({ description: 'The content type it is served with.', example: 'image/jpeg' }),
  filename: text(1, maxFilenameLength).optional().meta({ description: 'The name it is saved under.' }),
  epoch: queryInteger(0, 2 ** 31 - 1)
    .optional()
    .meta({
      description:
        'The epoch of the user’s links, in every link: a password change or signing out everywhere begins a new one and ends the links of this one.',
    }),
  expires: queryInteger(0, Number.MAX_SAFE_INTEGER).meta({
    description: 'Until when the link works: seconds since 1970, UTC.',
  }),
  key: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .meta({ description: 'Which key signed it.' }),
  signature: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
});
export type FileQuery = z.infer<typeof FileQuery>;

export const getFile = defineRoute({
  operationId: 'getFile',
  method: 'get',
  path: '/v1/files/{userId}/{mediaItemId}/{name}',
  summary: 'Get the bytes behind a signed link',
  description:
    'The addresses are those in a media item, used as they are. `Range`, `If-Range` and `If-None-Match` are understood. ' +
    'A link that is wrong in any way, has expired or has ended is 404. A change of the password, signing out everywhere and the removal of the ' +
    'account end all links of a user, on every replica within two seconds. An original that has another size than recorded, or that the last ' +
    'check found damaged, is refused with `ORIGINAL_DAMAGED`.',
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
      description: 'The bytes of the asked range.',
      binary: ['image/*', 'video/*'],
      headers: ['ETag', 'Cache-Control', 'Accept-Ranges', 'Content-Range'],
    },
    304: { description: 'The client has these bytes already.', headers: ['ETag', 'Cache-Control'] },
  },
  errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'ORIGINAL_DAMAGED', ...serverErrors],
});
