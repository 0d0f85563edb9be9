import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Features } from './schema.ts';

/** Who asks, as far as a route needs to know. */
export interface SessionUser {
  readonly sessionId: string;
  readonly userId: string;
  readonly features: Features;
}

/** Opens a session that ends by itself at `expiresAt`, and answers its id. */
export const insertSession = async (
  db: Database,
  session: { readonly userId: string; readonly refreshTokenHash: Buffer; readonly expiresAt: Date },
): Promise<string> => {
  const id = randomUUID();
  await db
    .insertInto('sessions')
    .values({
      id,
      user_id: session.userId,
      refresh_token_hash: session.refreshTokenHash,
      expires_at: session.expiresAt,
    })
    .execute();
  return id;
};

/** The user of a session that has not ended. One primary-key lookup: this runs with every request. */
export const findSessionUser = async (db: Database, sessionId: string): Promise<SessionUser | undefined> =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id as sessionId', 'sessions.user_id as userId', 'users.features'])
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .where('users.removing_at', 'is', null)
    .executeTakeFirst();

/** Ends a session; one that has ended already stays so. */
export const deleteSession = async (db: Database, sessionId: string): Promise<void> => {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute();
};

/** Removes sessions past their time and answers how many there were. */
export const deleteExpiredSessions = async (db: Database): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('expires_at', '<=', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
};
