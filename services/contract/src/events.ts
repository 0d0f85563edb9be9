import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import { maxEventStreams } from './limits.ts';
import { Id, LocalTime } from './scalars.ts';
import { mediaItemStatuses } from './vocabulary.ts';

export const MediaItemEvent = z
  .discriminatedUnion('type', [
    z.object({
      type: z.enum(['created', 'updated']).meta({ description: 'A client that knows the item takes both alike.' }),
      id: Id,
      status: z.enum(mediaItemStatuses),
      favourite: z.boolean(),
      hidden: z.boolean(),
      deleted: z.boolean().meta({ description: 'Whether it is in the trash.' }),
      listed: z.boolean().meta({
        description: 'Whether lists show it by itself; the video half of a Live Photo is shown in its photo instead.',
      }),
      localTime: LocalTime.meta({ description: 'By which lists are sorted.' }),
    }),
    z.object({ type: z.literal('removed').meta({ description: 'It is gone for good.' }), id: Id }),
  ])
  .meta({ id: 'MediaItemEvent', description: 'A change of a photo or video, with its visibility in lists.' });
export type MediaItemEvent = z.infer<typeof MediaItemEvent>;

const Nothing = z.object({});

export const watchEvents = defineRoute({
  operationId: 'watchEvents',
  method: 'get',
  path: '/v1/events',
  summary: 'Watch changes of the library',
  description: [
    'A stream of server-sent events, each of which names something that changed within the last seconds:',
    '',
    '- `ready`: once, when all that was missed has been told. A client that loads its lists now misses nothing.',
    '- `reset`: what followed the `Last-Event-ID` is no longer known (after a day, or many thousand events): load everything anew.',
    '- `mediaItem`: a photo or video. Several changes of one within a second may be one event, and one may be told twice.',
    '',
    'Names that a client does not know are to be passed over: there will be more. The stream ends with the session, when the',
    'access token expires, when a client does not read it, and when the server ends; it is taken up again with',
    '`Last-Event-ID`, with a new token if need be.',
    `A user has ${maxEventStreams} streams at most on each process of the server; one more is 429.`,
  ].join('\n'),
  tag: 'library',
  auth: 'bearer',
  requestHeaders: z.object({
    'Last-Event-ID': z
      .string()
      .optional()
      .meta({ description: 'The `id` of the last event received; the stream continues after it.' }),
  }),
  example: { isEndless: true },
  responses: {
    200: {
      description: 'Events until one side closes the stream; the schema is that of each event.',
      eventStream: { ready: Nothing, reset: Nothing, mediaItem: MediaItemEvent },
      headers: ['Cache-Control'],
    },
  },
  errors: ['UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', ...serverErrors],
});
