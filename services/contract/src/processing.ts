import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, serverErrors } from './errors.ts';
import { maxProcessingCount, maxRetriedItems } from './limits.ts';
import { reasons } from './reasons.ts';
import { extensible, Id, keyEnum, word } from './scalars.ts';
import { componentNames } from './vocabulary.ts';

const component = z.enum(componentNames).meta(extensible);

const count = z
  .int()
  .min(1)
  .max(maxProcessingCount)
  .meta({
    description: `Number of items; ${maxProcessingCount} means this many or more.`,
  });

const reasonList = Object.entries(reasons)
  .map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)
  .join(' ');

export const ProcessingGroup = z
  .object({
    component,
    reason: keyEnum(reasons).meta({ description: reasonList }),
    count,
    examples: z.array(Id).max(3).meta({
      description: 'Ids of some of these items, without hidden ones and those in the trash.',
    }),
  })
  .meta({
    id: 'ProcessingGroup',
    description: 'Items with the same state of a component for the same reason.',
  });
export type ProcessingGroup = z.infer<typeof ProcessingGroup>;

export const Processing = z
  .object({
    waiting: z.array(z.object({ component, count })).meta({
      description: 'Number of waiting or active items by component. Components without any are omitted.',
    }),
    failed: z.array(ProcessingGroup).meta({ description: 'Failures that are final until a retry.' }),
    blocked: z
      .array(ProcessingGroup)
      .meta({ description: 'Items that cannot be processed here for now. They resume automatically.' }),
  })
  .meta({ id: 'Processing', description: 'The processing state of a user’s photos and videos.' });
export type Processing = z.infer<typeof Processing>;

export const ProcessingRetry = z
  .strictObject({ component: word(componentNames).optional(), reason: word(reasonNames()).optional() })
  .meta({ id: 'ProcessingRetry', description: 'Failures to retry; all of them by default. Case-insensitive.' });
export type ProcessingRetry = z.infer<typeof ProcessingRetry>;

export const ProcessingRetried = z
  .object({
    retried: z
      .int()
      .min(0)
      .max(maxRetriedItems)
      .meta({ description: 'Number of photos and videos that are due again.' }),
    isComplete: z.boolean().meta({ description: 'False if items are left; repeat the request for these.' }),
  })
  .meta({ id: 'ProcessingRetried', description: 'The number of retried items.' });
export type ProcessingRetried = z.infer<typeof ProcessingRetried>;

export const getProcessing = defineRoute({
  operationId: 'getProcessing',
  method: 'get',
  path: '/v1/processing',
  summary: 'Get the processing state',
  description: 'Includes the whole library, with hidden items and the trash.',
  tag: 'processing',
  auth: 'bearer',
  responses: { 200: { description: 'Grouped by component and reason.', schema: Processing } },
  errors: ['UNAUTHORIZED', ...serverErrors],
});

export const retryProcessing = defineRoute({
  operationId: 'retryProcessing',
  method: 'post',
  path: '/v1/processing/retry',
  summary: 'Retry failures',
  description: `Resets the attempts of at most ${maxRetriedItems} photos and videos at a time. Items that succeed then appear like new uploads.`,
  tag: 'processing',
  auth: 'bearer',
  body: ProcessingRetry,
  example: { body: { component: 'METADATA' } },
  responses: { 200: { description: 'The items are due again.', schema: ProcessingRetried } },
  errors: [...bodyErrors, 'UNAUTHORIZED', ...serverErrors],
});

function reasonNames(): readonly (keyof typeof reasons)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of Object.keys does not keep the keys
  return Object.keys(reasons) as (keyof typeof reasons)[];
}
