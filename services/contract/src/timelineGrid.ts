import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { inputErrors, serverErrors } from './errors.ts';
import { largeResponseHeaders } from './headers.ts';
import { maxGridItems } from './limits.ts';
import { CursorQuery, queryInteger } from './query.ts';
import { extensible, Id } from './scalars.ts';
import { TimelineSection } from './timeline.ts';

/** Kinds of items in a grid. `ANIMATED`: an animated picture. */
export const gridKinds = ['PHOTO', 'VIDEO', 'LIVE', 'MOTION', 'ANIMATED'] as const;
export type GridKind = (typeof gridKinds)[number];

const positions = (description: string) =>
  z.array(z.int().min(0)).meta({ description: `${description}: their indexes in the columns, from 0, ascending.` });

/** A day of a grid: a heading, and the number of items below it. */
const GridDay = z.object({
  date: z.string().meta({ description: 'The day in local time.', example: '2022-04-03' }),
  count: z
    .int()
    .min(1)
    .meta({ description: 'The number of items of this day, which follow those of the previous day.' }),
  places: z.array(z.string()).max(3).meta({ description: 'Names of the most frequent places of these items.' }),
});

export const TimelineGrid = z
  .object({
    thumbnailPrefixes: z.array(z.string().meta({ format: 'uri-reference' })).meta({
      description:
        'The start of thumbnail URLs; append the id of the item. Signed links that need no header and expire, unchanged for 24 hours.',
    }),
    days: z.array(GridDay).meta({ description: 'Latest day first.' }),
    ids: z.array(Id).meta({ description: 'The items in the order of all lists: newest first, then by `id`.' }),
    ratios: z
      .array(z.number().positive().nullable())
      .meta({ description: 'Width divided by height of the upright picture; `null` if not known yet.' }),
    placeholders: z.array(z.base64().nullable()).meta({
      description: 'ThumbHashes with less detail. Stretch them over the box; their own aspect ratio has no meaning.',
    }),
    kinds: z.array(z.enum(gridKinds).meta(extensible)),
    durations: z.array(z.number().min(0).nullable()).meta({ description: 'Durations of videos in seconds.' }),
    thumbnails: z.array(z.int().min(0).nullable()).meta({
      description:
        'The index in `thumbnailPrefixes` for the thumbnail, a WebP of 320 px (longer side); `null` if there is none yet.',
    }),
    favourites: positions('The favourites'),
    processing: positions('The items being processed'),
    failed: positions('The items that cannot be shown'),
  })
  .meta({ id: 'TimelineGrid', description: 'A section of the timeline as a grid: columns of equal length.' });
export type TimelineGrid = z.infer<typeof TimelineGrid>;

export const getTimelineGrid = defineRoute({
  operationId: 'getTimelineGrid',
  method: 'get',
  path: '/v1/timeline/{section}/grid',
  summary: 'Get a month or a day as a grid',
  description:
    'Data for a grid of a month or day, as compact as possible, without hidden items and items in the trash. The response is compressed with ' +
    'Brotli or gzip. A request with the current `ETag` in `If-None-Match` is 304. If there are more items than `limit`, the `next` link leads to ' +
    'further pages.',
  tag: 'library',
  auth: 'bearer',
  isLarge: true,
  params: z.object({ section: TimelineSection }),
  query: CursorQuery.pick({ cursor: true }).extend({
    limit: queryInteger(1, maxGridItems).prefault(maxGridItems).meta({ description: 'Maximum number of items.' }),
  }),
  requestHeaders: largeResponseHeaders,
  example: { params: { section: '2024-06' } },
  responses: {
    200: { description: 'The section, or a page of it.', schema: TimelineGrid, headers: ['ETag', 'Link'] },
    304: { description: 'The client’s copy is current.', headers: ['ETag'] },
  },
  errors: [...inputErrors, 'UNAUTHORIZED', ...serverErrors],
});
