import { findEventStart } from '@hearth/core/db/events/events.ts';
import { bearerTokenOf } from '../http/authenticate.ts';
import type { Handlers } from '../http/handlers.ts';
import { expiryOf } from '../sessions/tokens.ts';

const watchEvents: Handlers['watchEvents'] = async ({ db, liveUpdates }, { user, req }) => {
  const start = await findEventStart(db, user.userId, req.get('Last-Event-ID'));
  const endsAt = expiryOf(bearerTokenOf(req)!);
  const { userId, sessionId } = user;
  return { status: 200, body: liveUpdates.watch({ userId, sessionId, endsAt, start }) };
};

export const eventHandlers = { watchEvents } satisfies Partial<Handlers>;
