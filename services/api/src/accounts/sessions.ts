import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { createRefreshToken, parseRefreshToken, succeedRefreshToken } from './refreshTokens.ts';
import { newLinkEpoch } from '../links/linkState.ts';
import { insertAuditEntry } from './auditLog.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { Features } from '@hearth/core/db/schema.ts';

/** Days for which a refresh token is good. Each refresh makes a new one, so a device that is used keeps its session. */
export const refreshTokenDays = 30;

/** Seconds for which the previous refresh token is still taken: two tabs refresh at once, or an answer was lost. */
export const refreshGraceSeconds = 10;

/** Who asks, as far as a route needs to know. */
export interface SessionUser {
  readonly sessionId: string;
  readonly userId: string;
  readonly features: Features;
  /** Part of the file links that are signed for the user. */
  readonly linkEpoch: number;
}

/** What a user tells sessions apart by: what the client calls itself, and the network that it was last seen in. */
export interface SeenClient {
  readonly device?: string | undefined;
  readonly network?: string | undefined;
  /** For the audit log. */
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface RefreshableSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly refreshToken: string;
}

/**
 * Opens a session; undefined where the account is gone or its password is no longer the one that was checked, since a change
 * of password ends every session, also one that is just being opened.
 */
export const insertSession = async (
  db: Database,
  { userId, passwordHash, device, network }: { readonly userId: string; readonly passwordHash: string } & SeenClient,
): Promise<RefreshableSession | undefined> => {
  const token = createRefreshToken();
  const { rows } = await sql<{ id: string }>`
    insert into sessions (id, user_id, family_hash, refresh_token_hash, device, network, expires_at)
    select ${randomUUID()}, id, ${token.familyHash}, ${token.hash}, ${device ?? null}, ${network ?? null},
      ${inRefreshTokenDays}
    from users
    where id = ${userId} and password_hash = ${passwordHash} and removing_at is null
    for share -- waits for a change of password under way, and then looks again
    returning id`.execute(db);
  return rows[0] && { sessionId: rows[0].id, userId, refreshToken: token.text };
};

/**
 * Takes a refresh token for its successor, see [Note: Refresh tokens], and prolongs the session; the previous token, within its
 * grace, is answered the same successor. `'REUSED'` where it is an older one: then the session has been ended. Undefined where
 * it is a token of no session that lasts.
 */
export const refreshSession = async (
  db: Database,
  refreshToken: string,
  { device, network, address, requestId }: SeenClient = {},
): Promise<RefreshableSession | 'REUSED' | undefined> => {
  const token = parseRefreshToken(refreshToken);
  if (token === undefined) return undefined;
  return transaction(db, async (trx) => {
    // Locked, so that of many requests that refresh at once the first makes the successor and the others find it.
    const session = await trx
      .selectFrom('sessions')
      .select(['id', 'user_id', 'refresh_token_hash', 'previous_token_hash', 'successor_salt'])
      // The time at which this request came counts, however long it has waited for others.
      .select(sql<boolean>`refreshed_at >= now() - ${refreshGraceSeconds} * interval '1 second'`.as('isInGrace'))
      .where('family_hash', '=', token.familyHash)
      .where('expires_at', '>', sql<Date>`now()`)
      .forUpdate()
      .executeTakeFirst();
    if (session === undefined) return undefined;
    const { id: sessionId, user_id: userId } = session;
    if (token.hash.equals(session.refresh_token_hash)) {
      const salt = randomBytes(32);
      const successor = succeedRefreshToken(token, salt);
      await trx
        .updateTable('sessions')
        .set({
          refresh_token_hash: successor.hash,
          previous_token_hash: token.hash,
          successor_salt: salt,
          refreshed_at: sql`clock_timestamp()`,
          ...(device !== undefined && { device }),
          ...(network !== undefined && { network }),
          expires_at: inRefreshTokenDays,
        })
        .where('id', '=', sessionId)
        .execute();
      return { sessionId, userId, refreshToken: successor.text };
    }
    const { previous_token_hash: previousHash, successor_salt: salt, isInGrace } = session;
    if (isInGrace && salt !== null && previousHash !== null && token.hash.equals(previousHash)) {
      return { sessionId, userId, refreshToken: succeedRefreshToken(token, salt).text };
    }
    await deleteSession(trx, sessionId);
    await insertAuditEntry(trx, { action: 'REFRESH_TOKEN_REUSED', actor: 'NOBODY', userId, address, requestId });
    return 'REUSED';
  });
};

/** The user of a session that has not ended. One primary-key lookup: this runs with every request. */
export const findSessionUser = async (db: Database, sessionId: string): Promise<SessionUser | undefined> =>
  liveSessions(prepared(db, 'session_user')).where('sessions.id', '=', sessionId).executeTakeFirst();

/**
 * The user of the session that a refresh token is of or was of, if it lasts. An old token will do, since this is for ending the session:
 * whoever has one ends it by using it anyway, see [Note: Refresh tokens].
 */
export const findUserOfRefreshToken = async (db: Database, refreshToken: string): Promise<SessionUser | undefined> => {
  const token = parseRefreshToken(refreshToken);
  return token && liveSessions(db).where('sessions.family_hash', '=', token.familyHash).executeTakeFirst();
};

export const listLiveSessions = async (db: Database, sessionIds: readonly string[]): Promise<Set<string>> => {
  const rows = await liveSessions(prepared(db, 'live_sessions'))
    .where(sql<boolean>`sessions.id = any(${sessionIds}::uuid[])`)
    .execute();
  return new Set(rows.map((row) => row.sessionId));
};

const liveSessions = (db: Database) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id as sessionId',
      'sessions.user_id as userId',
      'users.features',
      'users.link_epoch as linkEpoch',
    ])
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .where('users.removing_at', 'is', null);

export interface UserSession {
  readonly id: string;
  readonly device: string | null;
  readonly network: string | null;
  readonly createdAt: Date;
  /** When it was opened or last refreshed. */
  readonly usedAt: Date;
}

export type SessionPosition = Pick<UserSession, 'createdAt' | 'id'>;

/** The sessions of a user that last, the latest sign-in first. */
export const listUserSessions = async (
  db: Database,
  userId: string,
  { limit, after }: { readonly limit: number; readonly after?: SessionPosition | undefined },
): Promise<UserSession[]> =>
  prepared(db, 'user_sessions')
    .selectFrom('sessions')
    .select(['id', 'device', 'network', createdAt.as('createdAt')])
    .select(sql<Date>`coalesce(refreshed_at, created_at)`.as('usedAt'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(${createdAt}, id) < (${after?.createdAt}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy(createdAt, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** As exact as a `Date` is, so that a place in the list can be found again. */
const createdAt = sql<Date>`date_trunc('milliseconds', created_at)`;

/** Ends one session of a user. @throws NotFoundError where the user has no such session */
export const endUserSession = async (db: Database, userId: string, id: string): Promise<void> => {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirstOrThrow(() => new NotFoundError('session'));
};

/** Ends all sessions of a user but one. Ends all file links too, since they do not record their session. */
export const endOtherSessions = async (db: Database, userId: string, sessionId: string): Promise<void> =>
  transaction(db, async (trx) => {
    await trx.updateTable('users').set({ link_epoch: newLinkEpoch }).where('id', '=', userId).execute();
    await trx.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', sessionId).execute();
  });

/**
 * Gives a session new tokens, with a new id, so that access tokens of the old id are refused. Undefined if the session has ended.
 */
export const renewSession = async (db: Database, sessionId: string): Promise<RefreshableSession | undefined> => {
  const token = createRefreshToken();
  const session = await db
    .updateTable('sessions')
    .set({
      id: randomUUID(),
      family_hash: token.familyHash,
      refresh_token_hash: token.hash,
      previous_token_hash: null,
      successor_salt: null,
      refreshed_at: sql`now()`,
      expires_at: inRefreshTokenDays,
    })
    .where('id', '=', sessionId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['id', 'user_id'])
    .executeTakeFirst();
  return session && { sessionId: session.id, userId: session.user_id, refreshToken: token.text };
};

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

const inRefreshTokenDays = sql<Date>`now() + ${refreshTokenDays} * interval '1 day'`;
