import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { AuditAction } from '@hearth/contract/audit.ts';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { insertAuditEntry } from '../../accounts/auditLog.ts';
import type { SessionUser } from '../../accounts/sessions.ts';
import type { Deps } from '../../deps/deps.ts';
import { getAddress } from '../requests/clientAddress.ts';
import { getRequestId } from '../requests/requestLog.ts';

/** Parts of a successful request that the audit log needs. */
interface CompletedCall {
  readonly params: { readonly id?: string } | undefined;
  readonly body: unknown;
  readonly user: SessionUser | undefined;
  readonly responseBody: unknown;
}

/** Parts of an audit entry that depend on the route, or undefined for no entry. */
type AuditDetails = { readonly action: AuditAction; readonly userId?: string; readonly subject?: string } | undefined;

/** Routes whose success is audited. Sign-ins and refusals are recorded where they are decided. */
const detailsByRoute: Readonly<Partial<Record<string, (call: CompletedCall) => AuditDetails>>> = {
  logout: () => ({ action: 'SIGNED_OUT' }),
  changePassword: () => ({ action: 'PASSWORD_CHANGED' }),
  endSession: ({ params }) => ({ action: 'SESSION_ENDED', subject: `session ${params?.id}` }),
  endOtherSessions: () => ({ action: 'OTHER_SESSIONS_ENDED' }),
  createUser: ({ responseBody }) => ({ action: 'USER_CREATED', userId: getId(responseBody) }),
  updateUser: ({ params }) => ({ action: 'USER_CHANGED', userId: params?.id ?? '' }),
  deleteUser: ({ params }) => ({ action: 'USER_DELETED', userId: params?.id ?? '' }),
  createAlbum: ({ body, responseBody }) => describeSharing(body, getId(responseBody), true),
  updateAlbum: ({ body, params }) => describeSharing(body, params?.id ?? '', false),
  deleteAlbum: ({ params }) => ({ action: 'ALBUM_DELETED', subject: describeAlbum(params?.id ?? '') }),
};

/**
 * Records the success of an audited route. If the entry cannot be written, logs that and still reports success, because
 * the work is done.
 */
export const auditSuccess = async (
  { db, log }: Deps,
  route: Route,
  req: Request,
  call: CompletedCall,
): Promise<void> => {
  const details = detailsByRoute[route.operationId]?.(call);
  if (details === undefined) return;
  const requestId = getRequestId(req);
  const actor = route.auth === 'basic' ? 'ADMINISTRATOR' : 'USER';
  try {
    const entry = { userId: call.user?.userId, ...details, actor, address: getAddress(req), requestId } as const;
    await insertAuditEntry(db, entry);
  } catch (error) {
    log.error({ err: error, requestId, action: details.action }, 'could not write the audit log');
  }
};

const describeSharing = (body: unknown, albumId: string, isNew: boolean): AuditDetails => {
  const { shared } = body as { readonly shared?: boolean };
  if (shared === undefined || (isNew && !shared)) return undefined;
  return { action: shared ? 'ALBUM_SHARED' : 'ALBUM_UNSHARED', subject: describeAlbum(albumId) };
};

/** A hash of the album id: audit entries never contain the id of a share. */
const describeAlbum = (id: string): string => `album ${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;

const getId = (responseBody: unknown): string => (responseBody as { readonly id: string }).id;
