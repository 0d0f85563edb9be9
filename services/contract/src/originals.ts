import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import { Timestamp } from './scalars.ts';
import { scrubStops } from './vocabulary.ts';

const count = z.int().min(0);

export const Originals = z
  .object({
    ok: count.meta({ description: 'Originals with the right size and SHA-256 at their last check.' }),
    unchecked: count.meta({ description: 'Originals that have not been checked yet.' }),
    damaged: count.meta({ description: 'Originals whose stored bytes differ from the upload.' }),
    missing: count.meta({ description: 'Originals that are missing from the store.' }),
    repairedRenditions: count.meta({
      description:
        'Damaged or missing previews, thumbnails and other renditions that were scheduled to be created again.',
    }),
    completedAt: Timestamp.optional().meta({
      description: 'When the last pass over all originals ended; omitted before the first one has ended.',
    }),
    stoppedAt: Timestamp.optional().meta({
      description:
        'When the scrub stopped because the store fails, belongs to another library, or lacks most originals; omitted while it runs.',
    }),
    stoppedCode: z.enum(scrubStops).optional().meta({
      description:
        'The reason why it stopped. `STORAGE_FAILED`: the store is unavailable or cannot be read. `WRONG_STORAGE`: its marker is missing or belongs to another library. `ORIGINALS_MISSING`: most originals are missing at the same time.',
    }),
    stoppedReason: z.string().optional().meta({ description: 'Details in English, with identifiers.' }),
  })
  .meta({ id: 'Originals', description: 'The state of all stored originals at their last checks.' });
export type Originals = z.infer<typeof Originals>;

export const getOriginals = defineRoute({
  operationId: 'getOriginals',
  method: 'get',
  path: '/v1/originals',
  summary: 'Get the number of intact, damaged and missing originals',
  tag: 'users',
  auth: 'basic',
  responses: { 200: { description: 'The totals of all accounts.', schema: Originals } },
  errors: ['UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', ...serverErrors],
});
