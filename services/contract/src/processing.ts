import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, serverErrors } from './errors.ts';
import { maxProcessingCount, maxRetriedItems } from './limits.ts';
import { reasons } from './reasons.ts';
import { extensible, Id, keyOf, word } from './scalars.ts';
import { componentNames } from './vocabulary.ts';

const component = z.enum(componentNames).meta(extensible);

const count = z
  .int()
  .min(1)
  .max(maxProcessingCount)
  .meta({
    description: `How many items; ${maxProcessingCount} says that there are as many or more.`,
  });

const reasonList = Object.entries(reasons)
  .map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)
  .join(' ');

/** Items whose runs of one component have the same state for the same reason. */
export const ProcessingGroup = z
  .object({
    component,
    reason: keyOf(reasons).meta({ description: reasonList }),
    count,
    examples: z.array(Id).max(3).meta({
      description:
        'The ids of some of these items that are neither hidden nor in the trash; empty where there is none.',
    }),
  })
  .meta({
    id: 'ProcessingGroup',
    description: 'Items whose runs of one component have the same state for the same reason.',
  });
export type ProcessingGroup = z.infer<typeof ProcessingGroup>;

/** What is being made of a user’s photos and videos, and what went wrong. */
export const Processing = z
  .object({
    waiting: z.array(z.object({ component, count })).meta({
      description: 'How many items wait or are being worked on, by component; a component without any is left out.',
    }),
    failed: z.array(ProcessingGroup).meta({ description: 'What went wrong for good, until it is tried again.' }),
    blocked: z
      .array(ProcessingGroup)
      .meta({ description: 'What this installation cannot do now; it goes on by itself when it can.' }),
  })
  .meta({ id: 'Processing', description: 'What is being made of a user’s photos and videos, and what went wrong.' });
export type Processing = z.infer<typeof Processing>;

/** What to try again: all that failed, or what failed for one reason or in one component. */
export const ProcessingRetry = z
  .strictObject({ component: word(componentNames).optional(), reason: word(reasonNames()).optional() })
  .meta({ id: 'ProcessingRetry', description: 'Which failures to try again; without these all of them. In any case.' });
export type ProcessingRetry = z.infer<typeof ProcessingRetry>;

/** How much one call has made wait again. */
export const ProcessingRetried = z
  .object({
    retried: z.int().min(0).max(maxRetriedItems).meta({ description: 'How many photos and videos wait again.' }),
    isComplete: z.boolean().meta({ description: 'Whether these were all; otherwise ask again for the rest.' }),
  })
  .meta({ id: 'ProcessingRetried', description: 'What waits again.' });
export type ProcessingRetried = z.infer<typeof ProcessingRetried>;

export const getProcessing = defineRoute({
  operationId: 'getProcessing',
  method: 'get',
  path: '/v1/processing',
  summary: 'Get what is being processed, and what failed',
  description: 'Of the whole library, with what is hidden and in the trash.',
  tag: 'processing',
  auth: 'bearer',
  responses: { 200: { description: 'In groups.', schema: Processing } },
  errors: ['UNAUTHORIZED', ...serverErrors],
});

export const retryProcessing = defineRoute({
  operationId: 'retryProcessing',
  method: 'post',
  path: '/v1/processing/retry',
  summary: 'Try again what failed',
  description: `As if it had never been tried, at most ${maxRetriedItems} photos and videos at a time. What works then is shown as new uploads are.`,
  tag: 'processing',
  auth: 'bearer',
  body: ProcessingRetry,
  example: { body: { component: 'METADATA' } },
  responses: { 200: { description: 'It waits again.', schema: ProcessingRetried } },
  errors: [...bodyErrors, 'UNAUTHORIZED', ...serverErrors],
});

function reasonNames(): readonly (keyof typeof reasons)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys forgets what the type says
  return Object.keys(reasons) as (keyof typeof reasons)[];
}
