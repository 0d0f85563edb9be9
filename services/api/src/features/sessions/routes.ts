import {
  endOtherSessions as endOthers,
  endUserSession,
  listUserSessions,
  type UserSession,
} from '../../accounts/sessions.ts';
import type { Handlers } from '../../http/handle.ts';
import { nextPageLink } from '../../lists/listPage.ts';
import { cursors } from '../../lists/positions.ts';
import type { Session } from '@hearth/contract/sessions.ts';

const listSessions: Handlers['listSessions'] = async ({ db }, { query: { limit, cursor }, user, req }) => {
  const position = cursor === undefined ? undefined : cursors.sessions.decode(cursor);
  const after = position && { createdAt: new Date(position.openedAt), id: position.id };
  // One extra session shows if another page follows.
  const found = await listUserSessions(db, user.userId, { limit: limit + 1, after });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const next = last && { openedAt: last.createdAt.getTime(), id: last.id };
  return {
    status: 200,
    headers: { Link: nextPageLink(cursors.sessions, next, req.originalUrl) },
    body: page.map((session) => presentSession(session, user.sessionId)),
  };
};

const endSession: Handlers['endSession'] = async ({ db }, { params, user }) => {
  await endUserSession(db, user.userId, params.id);
  return { status: 204 };
};

const endOtherSessions: Handlers['endOtherSessions'] = async ({ db }, { user }) => {
  await endOthers(db, user.userId, user.sessionId);
  return { status: 204 };
};

export const sessionHandlers = { listSessions, endSession, endOtherSessions } satisfies Partial<Handlers>;

/** Converts a session to its API form, as seen from the session `currentId`. */
const presentSession = ({ id, device, network, createdAt, usedAt }: UserSession, currentId: string): Session => ({
  id,
  ...(device !== null && { device }),
  ...(network !== null && { network }),
  createdAt: createdAt.toISOString(),
  lastUsedAt: usedAt.toISOString(),
  current: id === currentId,
});
