import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import { KeysetQuery } from './query.ts';
import { Id, keyEnum, Timestamp } from './scalars.ts';

/** Recorded actions with their meaning. */
export const auditActions = {
  SIGNED_IN: 'Signed in; for the administrator, recorded at most once a day per network.',
  SIGN_IN_FAILED: 'Used a wrong password, an unknown username, or an expired one-time code.',
  LOCKED_OUT: 'Locked out for a while after too many failures.',
  SIGNED_OUT: 'Signed out.',
  REFRESH_TOKEN_REUSED: 'Used an old refresh token; its session was ended.',
  SESSION_ENDED: 'Ended a session.',
  OTHER_SESSIONS_ENDED: 'Ended all other sessions.',
  PASSWORD_CHANGED: 'Changed their own password.',
  USER_CREATED: 'Created an account.',
  USER_CHANGED: 'Changed an account, its password or its features.',
  USER_DELETED: 'Deleted an account.',
  ALBUM_SHARED: 'Shared an album by a link.',
  ALBUM_UNSHARED: 'Stopped sharing an album.',
  ALBUM_DELETED: 'Deleted an album, and its link if it was shared.',
} as const satisfies Record<string, string>;
export type AuditAction = keyof typeof auditActions;

/** The actor: a user, the administrator, or a client that is not signed in. */
export const auditActors = ['USER', 'ADMINISTRATOR', 'NOBODY'] as const;
export type AuditActor = (typeof auditActors)[number];

export const AuditEntry = z
  .object({
    id: z.int().meta({ description: 'Increases with each entry.' }),
    at: Timestamp,
    action: keyEnum(auditActions).meta({
      description: Object.entries(auditActions)
        .map(([action, meaning]) => `\`${action}\`: ${meaning}`)
        .join(' '),
    }),
    actor: z.enum(auditActors),
    userId: Id.optional().meta({ description: 'The account in question, even if it was deleted.' }),
    subject: z.string().optional().meta({
      description:
        'The administrator, the one-time code of the first start, the id of a session, or a stable pseudonym of an album that does not reveal its link.',
    }),
    address: z.string().optional().meta({ description: 'The IP address of the client.', example: '203.0.113.7' }),
    requestId: z.string().optional().meta({ description: 'The `X-Request-Id`, which is also in the server log.' }),
  })
  .meta({ id: 'AuditEntry', description: 'An entry of the audit log. Unknown fields are omitted.' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const listAudit = defineRoute({
  operationId: 'listAudit',
  method: 'get',
  path: '/v1/audit',
  summary: 'List the audit log of sign-ins, accounts and shares',
  description: 'The last 90 days, newest first.',
  tag: 'users',
  auth: 'basic',
  query: KeysetQuery,
  responses: { 200: { description: 'One page.', schema: z.array(AuditEntry), headers: ['Link'] } },
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', ...serverErrors],
});
