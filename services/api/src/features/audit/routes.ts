import type { AuditAction, AuditActor, AuditEntry } from '@hearth/contract/audit.ts';
import { listAuditEntries } from '../../accounts/auditLog.ts';
import type { AuditRow } from '@hearth/core/db/schema.ts';
import type { Handlers } from '../../http/handle.ts';
import { nextPageLink } from '../../lists/listPage.ts';
import { cursors } from '../../lists/positions.ts';

const listAudit: Handlers['listAudit'] = async ({ db }, { query: { limit, cursor }, req }) => {
  const beforeId = cursor === undefined ? undefined : cursors.audit.decode(cursor).id;
  // One extra entry shows if another page follows.
  const found = await listAuditEntries(db, { limit: limit + 1, beforeId });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const next = last && { id: String(last.id) };
  return {
    status: 200,
    headers: { Link: nextPageLink(cursors.audit, next, req.originalUrl) },
    body: page.map(presentEntry),
  };
};

const presentEntry = ({
  id,
  at,
  action,
  actor,
  user_id: userId,
  subject,
  address,
  request_id,
}: AuditRow): AuditEntry => ({
  id,
  at: at.toISOString(),
  action: action as AuditAction,
  actor: actor as AuditActor,
  ...(userId !== null && { userId }),
  ...(subject !== null && { subject }),
  ...(address !== null && { address }),
  ...(request_id !== null && { requestId: request_id }),
});

export const auditHandlers = { listAudit } satisfies Partial<Handlers>;
