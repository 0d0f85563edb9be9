import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import { KeysetQuery } from './query.ts';
import { Id, keyOf, Timestamp } from './scalars.ts';

/** What is kept as evidence, with what it means. */
export const auditActions = {
  SIGNED_IN: 'Signed in; of the administrator, at most once a day from one network.',
  SIGN_IN_FAILED: 'Tried a wrong password, a user name that nobody has, or a one-time code that works no more.',
  LOCKED_OUT: 'Is refused for a while after too many failures.',
  SIGNED_OUT: 'Signed out.',
  REFRESH_TOKEN_REUSED: 'Used an old refresh token: its session has been ended.',
  SESSION_ENDED: 'Ended a session.',
  OTHER_SESSIONS_ENDED: 'Ended all other sessions.',
  PASSWORD_CHANGED: 'Changed the own password.',
  USER_CREATED: 'Made an account.',
  USER_CHANGED: 'Changed an account, its password or its features.',
  USER_DELETED: 'Deleted an account.',
  ALBUM_SHARED: 'Shared an album by a link.',
  ALBUM_UNSHARED: 'Ended the sharing of an album.',
  ALBUM_DELETED: 'Deleted an album, and its link if it was shared.',
} as const satisfies Record<string, string>;
export type AuditAction = keyof typeof auditActions;

/** Who did it: a user, the administrator, or somebody who has not signed in. */
export const auditActors = ['USER', 'ADMINISTRATOR', 'NOBODY'] as const;
export type AuditActor = (typeof auditActors)[number];

/** Something that has happened. What is not known is left out. */
export const AuditEntry = z
  .object({
    id: z.int().meta({ description: 'Later entries have higher ones.' }),
    at: Timestamp,
    action: keyOf(auditActions).meta({
      description: Object.entries(auditActions)
        .map(([action, meaning]) => `\`${action}\`: ${meaning}`)
        .join(' '),
    }),
    actor: z.enum(auditActors),
    userId: Id.optional().meta({ description: 'The account that it is about, also when it is gone.' }),
    subject: z.string().optional().meta({
      description:
        'The administrator; the one-time code of a first start; a session by its id; an album by a word that is the same each time and leads to no share.',
    }),
    address: z.string().optional().meta({ description: 'The address of the client.', example: '203.0.113.7' }),
    requestId: z.string().optional().meta({ description: 'As in `X-Request-Id`, and in the log of the server.' }),
  })
  .meta({ id: 'AuditEntry', description: 'Something that has happened. What is not known is left out.' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const listAudit = defineRoute({
  operationId: 'listAudit',
  method: 'get',
  path: '/v1/audit',
  summary: 'List what has happened around sign-in, accounts and shares',
  description: 'Of the last 90 days, the latest first.',
  tag: 'users',
  auth: 'basic',
  query: KeysetQuery,
  responses: { 200: { description: 'One page.', schema: z.array(AuditEntry), headers: ['Link'] } },
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', ...serverErrors],
});
