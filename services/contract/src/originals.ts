import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import { Timestamp } from './scalars.ts';
import { scrubStops } from './vocabulary.ts';

const count = z.int().min(0);

/** The state of all stored originals. */
export const Originals = z
  .object({
    ok: count.meta({ description: 'Originals whose size and SHA-256 matched at their last check.' }),
    unchecked: count.meta({ description: 'Originals that were not checked yet.' }),
    damaged: count.meta({ description: 'Originals whose stored bytes differ from what was uploaded.' }),
    missing: count.meta({ description: 'Originals that the store does not hold.' }),
    repairedRenditions: count.meta({
      description: 'Damaged or missing previews, thumbnails and other renditions that were made due again so far.',
    }),
    completedAt: Timestamp.optional().meta({
      description: 'When a pass over all originals last ended; left out before the first one has.',
    }),
    stoppedAt: Timestamp.optional().meta({
      description:
        'Since when the scrub is stopped because the store fails, is not the one of this library, or lacks most originals; left out while it works.',
    }),
    stoppedCode: z.enum(scrubStops).optional().meta({
      description:
        'Why it is stopped. `STORAGE_FAILED`: the store is unavailable or refuses to read. `WRONG_STORAGE`: its marker is missing or is that of another library. `ORIGINALS_MISSING`: most originals are missing at once.',
    }),
    stoppedReason: z.string().optional().meta({ description: 'The details in English, with identifiers.' }),
  })
  .meta({ id: 'Originals', description: 'The state of all stored originals, by their last checks.' });
export type Originals = z.infer<typeof Originals>;

export const getOriginals = defineRoute({
  operationId: 'getOriginals',
  method: 'get',
  path: '/v1/originals',
  summary: 'Get how many originals are intact, damaged or missing',
  tag: 'users',
  auth: 'basic',
  responses: { 200: { description: 'The sums of all accounts.', schema: Originals } },
  errors: ['UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', ...serverErrors],
});
