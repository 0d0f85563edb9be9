import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import { maxEventStreams } from './limits.ts';
import { Id, LocalTime } from './scalars.ts';
import { mediaItemStatuses } from './vocabulary.ts';

export const MediaItemEvent = z
  .discriminatedUnion('type', [
    z.object({
      type: z
        .enum(['created', 'updated'])
        .meta({ description: 'A client that already has the item can handle both in the same way.' }),
      id: Id,
      status: z.enum(mediaItemStatuses),
      favourite: z.boolean(),
      hidden: z.boolean(),
      deleted: z.boolean().meta({ description: 'True if it is in the trash.' }),
      listed: z.boolean().meta({
        description: 'True if lists show it. False for the video of a Live Photo: its photo shows it instead.',
      }),
      localTime: LocalTime.meta({ description: 'Lists are sorted by this time.' }),
    }),
    z.object({ type: z.literal('removed').meta({ description: 'It was deleted permanently.' }), id: Id }),
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
    'A stream of server-sent events about changes within the last seconds:',
    '',
    '- `ready`: once, after all missed events. A client that loads its lists now misses nothing.',
    '- `reset`: events after the `Last-Event-ID` are no longer available (after a day, or many thousand events). Load everything again.',
    '- `mediaItem`: a photo or video changed. Several changes within a second may be one event, and an event may be repeated.',
    '',
    'Ignore unknown event names: more will be added. The stream ends with the session, when the',
    'access token expires, when the client does not read it, and when the server stops. Resume it with',
    '`Last-Event-ID`, if necessary with a new token.',
    `A user has at most ${maxEventStreams} streams per process of the server; further ones are 429.`,
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
