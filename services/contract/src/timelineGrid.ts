import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { inputErrors, serverErrors } from './errors.ts';
import { largeAnswerHeaders } from './headers.ts';
import { maxGridItems } from './limits.ts';
import { CursorQuery, queryInteger } from './query.ts';
import { extensible, Id } from './scalars.ts';
import { TimelineSection } from './timeline.ts';

/** How an item of a grid is marked. `ANIMATED`: a picture that moves. */
export const gridKinds = ['PHOTO', 'VIDEO', 'LIVE', 'MOTION', 'ANIMATED'] as const;
export type GridKind = (typeof gridKinds)[number];

const positions = (description: string) =>
  z.array(z.int().min(0)).meta({ description: `${description}: their places in the columns, from 0, ascending.` });

/** One day of a grid: a heading, and how many of the items stand below it. */
const GridDay = z.object({
  date: z.string().meta({ description: 'The day, by local time.', example: '2022-04-03' }),
  count: z.int().min(1).meta({ description: 'How many of the items are of this day: the next ones.' }),
  places: z.array(z.string()).max(3).meta({ description: 'Where most of these items were taken, by name.' }),
});

/** A section of the timeline as a grid shows it: columns of one length, a list of headings, and where thumbnails are. */
export const TimelineGrid = z
  .object({
    thumbnailPrefixes: z.array(z.string().meta({ format: 'uri-reference' })).meta({
      description:
        'What the addresses of thumbnails begin with; the id of the item follows. Signed links that need no header and expire, ' +
        'the same for 24 hours.',
    }),
    days: z.array(GridDay).meta({ description: 'The last day first.' }),
    ids: z.array(Id).meta({ description: 'The items, in the order of all lists: newest first, then by `id`.' }),
    ratios: z
      .array(z.number().positive().nullable())
      .meta({ description: 'Width divided by height, when upright; `null` where not known yet.' }),
    placeholders: z.array(z.base64().nullable()).meta({
      description: 'ThumbHashes of less detail, to be stretched over the box: their own ratio means nothing.',
    }),
    kinds: z.array(z.enum(gridKinds).meta(extensible)),
    durations: z.array(z.number().min(0).nullable()).meta({ description: 'Of videos, in seconds.' }),
    thumbnails: z.array(z.int().min(0).nullable()).meta({
      description:
        'Which of `thumbnailPrefixes` leads to the thumbnail, a WebP of 320 px (longer side); `null`: there is none yet.',
    }),
    favourites: positions('The favourites'),
    processing: positions('Those that are being processed'),
    failed: positions('Those that cannot be shown'),
  })
  .meta({ id: 'TimelineGrid', description: 'A section of the timeline as a grid shows it: columns of one length.' });
export type TimelineGrid = z.infer<typeof TimelineGrid>;

export const getTimelineGrid = defineRoute({
  operationId: 'getTimelineGrid',
  method: 'get',
  path: '/v1/timeline/{section}/grid',
  summary: 'Get a month or a day as a grid',
  description:
    'What a grid needs of a whole month, or of a day, in as few bytes as can be: without hidden items and those in the trash. It is compressed with ' +
    'Brotli or gzip, and an `If-None-Match` with its `ETag` is answered 304 while nothing has changed. More items than `limit` follow in ' +
    'further pages, by the `next` link.',
  tag: 'library',
  auth: 'bearer',
  isLarge: true,
  params: z.object({ section: TimelineSection }),
  query: CursorQuery.pick({ cursor: true }).extend({
    limit: queryInteger(1, maxGridItems).prefault(maxGridItems).meta({ description: 'How many items at most.' }),
  }),
  requestHeaders: largeAnswerHeaders,
  example: { params: { section: '2024-06' } },
  responses: {
    200: { description: 'The section, or as much of it.', schema: TimelineGrid, headers: ['ETag', 'Link'] },
    304: { description: 'The client has it already.', headers: ['ETag'] },
  },
  errors: [...inputErrors, 'UNAUTHORIZED', ...serverErrors],
});
