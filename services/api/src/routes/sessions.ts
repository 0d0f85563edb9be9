import { endOtherSessions as endOthers, endUserSession, listUserSessions } from '@hearth/core/db/userSessions.ts';
import type { Handlers } from '../http/handlers.ts';
import { decodeKeyset, encodeKeyset, keysetLink } from '../presenters/keysetPage.ts';
import { presentSession } from '../presenters/session.ts';

/** When a session was opened, in milliseconds since 1970, and its id. */
const position = /^(\d{1,14}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const listSessions: Handlers['listSessions'] = async ({ db }, { query: { limit, cursor }, user, req }) => {
  const [openedAt, id = ''] = decodeKeyset(cursor, position) ?? [];
  const after = openedAt === undefined ? undefined : { createdAt: new Date(Number(openedAt)), id };
  // One more than asked for tells whether another page follows.
  const found = await listUserSessions(db, user.userId, { limit: limit + 1, after });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const next = last === undefined ? undefined : encodeKeyset(String(last.createdAt.getTime()), last.id);
  return {
    status: 200,
    headers: { Link: keysetLink(next, req.originalUrl) },
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
