import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { inputErrors, serverErrors } from './errors.ts';
import { largeResponseHeaders } from './headers.ts';
import { maxWholeMonthItems } from './limits.ts';
import { mediaItemPage } from './mediaItem.ts';
import { CursorQuery } from './query.ts';
import { Day } from './scalars.ts';

export const Month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a year and a month')
  // Year 0 does not exist.
  .refine((month) => !month.startsWith('0000'), 'must be a year and a month')
  .meta({ example: '2022-04' });

/** A section of the timeline: a month or a day of local time. */
export const TimelineSection = z
  .union([Month, Day], { error: 'must be a month or a day' })
  .meta({ example: '2022-04' });

export const TimelineCount = z
  .object({
    date: z.string().meta({ description: 'A month, `2022-04`, or a day, `2022-04-03`, of local time.' }),
    count: z.int().min(1),
  })
  .meta({ id: 'TimelineCount', description: 'The number of visible items taken in a month or on a day.' });
export type TimelineCount = z.infer<typeof TimelineCount>;

/** Granularities of a timeline. */
export const timelineGranularities = ['month', 'day', 'section'] as const;

export const getTimeline = defineRoute({
  operationId: 'getTimeline',
  method: 'get',
  path: '/v1/timeline',
  summary: 'Get the timeline',
  description:
    'All months or days with visible items, in local time where they were taken; latest first. With `section`, months of more than ' +
    `${maxWholeMonthItems.toLocaleString('en')} items are split into days, so that a client loads no more at once than it shows. The response is ` +
    'compressed with Brotli or gzip. A request with the current `ETag` in `If-None-Match` gets 304.',
  tag: 'library',
  auth: 'bearer',
  isLarge: true,
  requestHeaders: largeResponseHeaders,
  query: z.object({
    by: z
      .enum(timelineGranularities, { error: `must be one of ${timelineGranularities.join(', ')}` })
      .prefault('month')
      .meta({ description: 'The granularity.' }),
  }),
  responses: {
    200: { description: 'All months or days.', schema: z.array(TimelineCount), headers: ['ETag'] },
    304: { description: 'The client’s copy is current.', headers: ['ETag'] },
  },
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', ...serverErrors],
});

export const listMonthMediaItems = defineRoute({
  operationId: 'listMonthMediaItems',
  method: 'get',
  path: '/v1/timeline/{month}/mediaItems',
  summary: 'List the media items of a month',
  description: 'Newest first, without hidden items and items in the trash.',
  tag: 'library',
  auth: 'bearer',
  params: z.object({ month: Month }),
  query: CursorQuery,
  example: { params: { month: '2024-06' } },
  responses: mediaItemPage,
  errors: [...inputErrors, 'UNAUTHORIZED', ...serverErrors],
});
