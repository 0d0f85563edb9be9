import type { Session } from '@hearth/contract/sessions.ts';
import type { UserSession } from '../../accounts/sessions.ts';

/** A session as its user sees it, from the session `currentId`. */
export const presentSession = (
  { id, device, network, createdAt, usedAt }: UserSession,
  currentId: string,
): Session => ({
  id,
  ...(device !== null && { device }),
  ...(network !== null && { network }),
  createdAt: createdAt.toISOString(),
  lastUsedAt: usedAt.toISOString(),
  current: id === currentId,
});
