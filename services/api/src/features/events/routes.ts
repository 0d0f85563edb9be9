import { findEventStart } from '../../events/events.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import { getBearerToken } from '../../http/access/authenticate.ts';
import type { Handlers } from '../../http/handle.ts';

const watchEvents: Handlers['watchEvents'] = async ({ db, tokens, liveUpdates }, { user, req }) => {
  const token = tokens.verify(getBearerToken(req) ?? '');
  // The token may have expired since the request was authenticated.
  if (token === undefined) throw new AppError('UNAUTHORIZED');
  const start = await findEventStart(db, user.userId, req.get('Last-Event-ID'));
  const { userId, sessionId } = user;
  return { status: 200, body: liveUpdates.watch({ userId, sessionId, endsAt: token.expiresAt, start }) };
};

export const eventHandlers = { watchEvents } satisfies Partial<Handlers>;
