import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { inputErrors, serverErrors } from './errors.ts';
import { mediaItemPage } from './mediaItem.ts';
import { CursorQuery } from './query.ts';

/** A month of local time. */
export const Month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a year and a month')
  // There is no year 0.
  .refine((month) => !month.startsWith('0000'), 'must be a year and a month')
  .meta({ example: '2022-04' });

/** How many visible items were taken in a month or on a day. */
export const TimelineCount = z
  .object({
    date: z.string().meta({ description: 'A month, `2022-04`, or a day, `2022-04-03`, of local time.' }),
    count: z.int().min(1),
  })
  .meta({ id: 'TimelineCount', description: 'How many visible items were taken in a month or on a day.' });
export type TimelineCount = z.infer<typeof TimelineCount>;

/** How finely a timeline counts. */
export const timelineGranularities = ['month', 'day'] as const;

export const getTimeline = defineRoute({
  operationId: 'getTimeline',
  method: 'get',
  path: '/v1/timeline',
  summary: 'Get the timeline',
  description:
    'Every month, or every day, in which visible items were taken, on a clock where they were; the last one first.',
  tag: 'library',
  auth: 'bearer',
  query: z.object({
    by: z
      .enum(timelineGranularities, { error: `must be one of ${timelineGranularities.join(', ')}` })
      .prefault('month')
      .meta({ description: 'What is counted together.' }),
  }),
  responses: { 200: { description: 'All of them.', schema: z.array(TimelineCount) } },
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', ...serverErrors],
});

export const listMonthMediaItems = defineRoute({
  operationId: 'listMonthMediaItems',
  method: 'get',
  path: '/v1/timeline/{month}/mediaItems',
  summary: 'List the media items of a month',
  description: 'Newest first, without hidden ones and those in the trash.',
  tag: 'library',
  auth: 'bearer',
  params: z.object({ month: Month }),
  query: CursorQuery,
  responses: mediaItemPage,
  errors: [...inputErrors, 'UNAUTHORIZED', ...serverErrors],
});
