import { sql } from 'kysely';
import { parseRefreshToken } from '../../refreshTokens.ts';
import type { Database } from '../connection/database.ts';
import type { SessionUser } from './sessions.ts';

/**
 * The user of the session that a refresh token is of or was of, if it lasts. An old token will do, since this is for ending the session:
 * whoever has one ends it by using it anyway, see [Note: Refresh tokens].
 */
export const findUserOfRefreshToken = async (db: Database, refreshToken: string): Promise<SessionUser | undefined> => {
  const token = parseRefreshToken(refreshToken);
  if (token === undefined) return undefined;
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id as sessionId', 'sessions.user_id as userId', 'users.features'])
    .where('sessions.family_hash', '=', token.familyHash)
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .where('users.removing_at', 'is', null)
    .executeTakeFirst();
};
