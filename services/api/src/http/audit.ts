import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { AuditAction } from '@hearth/contract/audit.ts';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { insertAuditEntry } from '@hearth/core/db/accounts/auditLog.ts';
import type { SessionUser } from '@hearth/core/db/accounts/sessions.ts';
import type { Deps } from '../deps/deps.ts';
import { addressOf } from './clientAddress.ts';
import { requestIdOf } from './requestLog.ts';

/** A request that succeeded, as far as the audit log asks. */
interface DoneCall {
  readonly params: { readonly id?: string } | undefined;
  readonly body: unknown;
  readonly user: SessionUser | undefined;
  readonly answered: unknown;
}

/** What is kept of a success: nothing where it is undefined. */
type Evidence = { readonly action: AuditAction; readonly userId?: string; readonly subject?: string } | undefined;

/** The routes whose successes are kept as evidence. Signing in, and what is refused, is kept by the actions that decide it. */
const evidenceOf: Readonly<Partial<Record<string, (call: DoneCall) => Evidence>>> = {
  logout: () => ({ action: 'SIGNED_OUT' }),
  changePassword: () => ({ action: 'PASSWORD_CHANGED' }),
  endSession: ({ params }) => ({ action: 'SESSION_ENDED', subject: `session ${params?.id}` }),
  endOtherSessions: () => ({ action: 'OTHER_SESSIONS_ENDED' }),
  createUser: ({ answered }) => ({ action: 'USER_CREATED', userId: idOf(answered) }),
  updateUser: ({ params }) => ({ action: 'USER_CHANGED', userId: params?.id ?? '' }),
  deleteUser: ({ params }) => ({ action: 'USER_DELETED', userId: params?.id ?? '' }),
  createAlbum: ({ body, answered }) => ofSharing(body, idOf(answered), true),
  updateAlbum: ({ body, params }) => ofSharing(body, params?.id ?? '', false),
  deleteAlbum: ({ params }) => ({ action: 'ALBUM_DELETED', subject: albumWord(params?.id ?? '') }),
};

/**
 * Keeps what a request has done, where that is evidence. It has been done by then: where it cannot be kept, that is logged, and the request
 * is answered all the same.
 */
export const auditSuccess = async ({ db, log }: Deps, route: Route, req: Request, call: DoneCall): Promise<void> => {
  const evidence = evidenceOf[route.operationId]?.(call);
  if (evidence === undefined) return;
  const requestId = requestIdOf(req);
  const actor = route.auth === 'basic' ? 'ADMINISTRATOR' : 'USER';
  try {
    const entry = { userId: call.user?.userId, ...evidence, actor, address: addressOf(req), requestId } as const;
    await insertAuditEntry(db, entry);
  } catch (error) {
    log.error({ err: error, requestId, action: evidence.action }, 'the audit log could not be written');
  }
};

const ofSharing = (body: unknown, albumId: string, isNew: boolean): Evidence => {
  const { shared } = body as { readonly shared?: boolean };
  if (shared === undefined || (isNew && !shared)) return undefined;
  return { action: shared ? 'ALBUM_SHARED' : 'ALBUM_UNSHARED', subject: albumWord(albumId) };
};

/** Tells albums apart, and nothing else: the id itself is what opens a shared one. */
const albumWord = (id: string): string => `album ${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;

const idOf = (answered: unknown): string => (answered as { readonly id: string }).id;
