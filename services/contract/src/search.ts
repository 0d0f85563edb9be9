import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import { maxSearchLength } from './limits.ts';
import { MediaItem } from './mediaItem.ts';
import { ListQuery } from './query.ts';
import { trimmedText } from './scalars.ts';

export const searchMediaItems = defineRoute({
  operationId: 'searchMediaItems',
  method: 'get',
  path: '/v1/search',
  summary: 'Search media items',
  description:
    'Visible items that every word finds, the best first, up to 1,000: by names of people, places, things and albums, file names, descriptions, ' +
    'cameras, text in pictures, and dates as in `june 2023`. Accents and case do not matter, and words that find nothing as they are written may ' +
    'be mistyped. A user has two searches at a time on a server and eight in line behind them, more are 429; one that takes longer than 3 s is 503.',
  tag: 'library',
  auth: 'bearer',
  query: ListQuery.extend({
    q: trimmedText(maxSearchLength).meta({ description: 'What is searched for.', example: 'anna beach 2019' }),
  }),
  responses: { 200: { description: 'One page.', schema: z.array(MediaItem), headers: ['Link', 'X-Search-Mode'] } },
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', ...serverErrors],
});
