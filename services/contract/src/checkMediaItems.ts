import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, serverErrors } from './errors.ts';
import { maxIdsPerRequest } from './limits.ts';
import { Id } from './scalars.ts';

export const ChecksumsRequest = z
  .strictObject({
    checksums: z
      .array(z.string().regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 in 64 hexadecimal digits'))
      .min(1)
      .max(maxIdsPerRequest)
      .meta({ description: 'SHA-256 of whole files, in hexadecimal digits of any case.' }),
  })
  .meta({ id: 'ChecksumsRequest', description: 'Files by their checksums.' });
export type ChecksumsRequest = z.infer<typeof ChecksumsRequest>;

export const ExistingMediaItems = z
  .object({
    existing: z
      .record(z.string(), Id)
      .meta({ description: 'Ids of existing items by checksum, in the spelling of the request.' }),
  })
  .meta({ id: 'ExistingMediaItems', description: 'The items with these checksums.' });
export type ExistingMediaItems = z.infer<typeof ExistingMediaItems>;

export const checkMediaItems = defineRoute({
  operationId: 'checkMediaItems',
  method: 'post',
  path: '/v1/mediaItems/check',
  summary: 'Check which files already exist',
  description:
    'Includes items in the trash, without restoring them: a backup need not upload deleted files again. Uploading such a file restores the item.',
  tag: 'library',
  auth: 'bearer',
  body: ChecksumsRequest,
  example: { body: { checksums: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'] } },
  responses: { 200: { description: 'The existing items.', schema: ExistingMediaItems } },
  errors: [...bodyErrors, 'UNAUTHORIZED', ...serverErrors],
});
