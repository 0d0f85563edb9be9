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

/**
 * Opens a session that ends by itself at `expiresAt`, and answers its id; undefined where the account is gone or its password is no
 * longer the one that was checked, since a change of password ends every session, also one that is just being opened.
 */
export const insertSession = async (
  db: Database,
  session: {
    readonly userId: string;
    readonly passwordHash: string;
    readonly refreshTokenHash: Buffer;
    readonly expiresAt: Date;
  },
): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    insert into sessions (id, user_id, refresh_token_hash, expires_at)
    select ${randomUUID()}, id, ${session.refreshTokenHash}, ${session.expiresAt} from users
    where id = ${session.userId} and password_hash = ${session.passwordHash} and removing_at is null
    for share -- waits for a change of password under way, and then looks again
    returning id`.execute(db);
  return rows[0]?.id;
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
