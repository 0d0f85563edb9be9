import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { inputErrors, serverErrors } from './errors.ts';
import { KeysetQuery } from './query.ts';
import { Id, Timestamp } from './scalars.ts';

export const Session = z
  .object({
    id: Id,
    device: z.string().optional().meta({
      description: 'The client’s `User-Agent`, cut to 256 characters.',
      example: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    }),
    network: z.string().optional().meta({
      description: 'The last known network: an IPv4 address, or the first 64 bits of an IPv6 address.',
      example: '203.0.113.7',
    }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.meta({
      description: 'When it last got new tokens: at most 15 minutes before it was last used.',
    }),
    current: z.boolean().meta({ description: 'True for the session of this request.' }),
  })
  .meta({ id: 'Session', description: 'A session. Unknown fields are omitted.' });
export type Session = z.infer<typeof Session>;

export const listSessions = defineRoute({
  operationId: 'listSessions',
  method: 'get',
  path: '/v1/auth/sessions',
  summary: 'List your sessions',
  description: 'Latest sign-in first.',
  tag: 'auth',
  auth: 'bearer',
  query: KeysetQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Session), headers: ['Link'] } },
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', ...serverErrors],
});

export const endOtherSessions = defineRoute({
  operationId: 'endOtherSessions',
  method: 'delete',
  path: '/v1/auth/sessions',
  summary: 'End all of your other sessions',
  description: 'Ends all sessions except that of this request. Their tokens are rejected from now on.',
  tag: 'auth',
  auth: 'bearer',
  responses: { 204: { description: 'Ended.' } },
  errors: ['UNAUTHORIZED', ...serverErrors],
});

export const endSession = defineRoute({
  operationId: 'endSession',
  method: 'delete',
  path: '/v1/auth/sessions/{id}',
  summary: 'End one of your sessions',
  description: 'Its tokens are rejected from now on.',
  tag: 'auth',
  auth: 'bearer',
  params: z.object({ id: Id }),
  example: { params: { id: '$SESSION' } },
  responses: { 204: { description: 'Ended.' } },
  errors: [...inputErrors, 'UNAUTHORIZED', 'NOT_FOUND', ...serverErrors],
});
