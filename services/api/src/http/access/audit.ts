import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { AuditAction } from '@hearth/contract/audit.ts';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { insertAuditEntry } from '../../accounts/auditLog.ts';
import type { SessionUser } from '../../accounts/sessions.ts';
import type { Deps } from '../../deps/deps.ts';
import { addressOf } from '../requests/clientAddress.ts';
import { requestIdOf } from '../requests/requestLog.ts';

/** Parts of a successful request that the audit log needs. */
interface DoneCall {
  readonly params: { readonly id?: string } | undefined;
  readonly body: unknown;
  readonly user: SessionUser | undefined;
  readonly answered: unknown;
}

/** Audit entry of a success, or undefined for none. */
type Evidence = { readonly action: AuditAction; readonly userId?: string; readonly subject?: string } | undefined;

/** Routes whose success is audited. Sign-ins and refusals are recorded where they are decided. */
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
 * Records the success of an audited route. If the entry cannot be written, logs that and still reports success, because
 * the work is done.
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
    log.error({ err: error, requestId, action: evidence.action }, 'could not write the audit log');
  }
};

const ofSharing = (body: unknown, albumId: string, isNew: boolean): Evidence => {
  const { shared } = body as { readonly shared?: boolean };
  if (shared === undefined || (isNew && !shared)) return undefined;
  return { action: shared ? 'ALBUM_SHARED' : 'ALBUM_UNSHARED', subject: albumWord(albumId) };
};

/** A hash of the album id: audit entries never contain the id of a share. */
const albumWord = (id: string): string => `album ${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;

const idOf = (answered: unknown): string => (answered as { readonly id: string }).id;
