import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { createRefreshToken, parseRefreshToken, createSuccessorToken } from './refreshTokens.ts';
import { newLinkEpoch } from '../links/linkState.ts';
import { insertAuditEntry } from './auditLog.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { Features } from '@hearth/core/db/schema.ts';

/** Lifetime of a refresh token, in days. Each refresh renews it, so a device in use stays signed in. */
export const refreshTokenDays = 30;

/**
 * Seconds during which the previous refresh token is still accepted, for two tabs that refresh at once or a lost
 * response.
 */
export const refreshGraceSeconds = 10;

/** The authenticated user of a request. */
export interface SessionUser {
  readonly sessionId: string;
  readonly userId: string;
  readonly features: Features;
  /** Part of the signature of the user's file links. */
  readonly linkEpoch: number;
}

/** The client of a session. */
export interface ClientInfo {
  /** The client's name for itself, shown to the user. */
  readonly device?: string | undefined;
  /** Last network, shown to the user. */
  readonly network?: string | undefined;
  /** For the audit log only. */
  readonly address?: string | undefined;
  /** For the audit log only. */
  readonly requestId?: string | undefined;
}

export interface RefreshableSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly refreshToken: string;
}

/**
 * Opens a session. Returns undefined if the account is gone or the password was changed after `passwordHash` was
 * checked, because a password change ends all sessions, including one being opened.
 */
export const insertSession = async (
  db: Database,
  { userId, passwordHash, device, network }: { readonly userId: string; readonly passwordHash: string } & ClientInfo,
): Promise<RefreshableSession | undefined> => {
  const token = createRefreshToken();
  const { rows } = await sql<{ id: string }>`
    insert into sessions (id, user_id, family_hash, refresh_token_hash, device, network, expires_at)
    select ${randomUUID()}, id, ${token.familyHash}, ${token.hash}, ${device ?? null}, ${network ?? null},
      ${refreshTokenExpiry}
    from users
    where id = ${userId} and password_hash = ${passwordHash} and removing_at is null
    for share -- waits for a concurrent password change, then checks the condition again
    returning id`.execute(db);
  return rows[0] && { sessionId: rows[0].id, userId, refreshToken: token.text };
};

/**
 * Exchanges a refresh token for its successor and extends the session, see [Note: Refresh tokens]. The previous token
 * gets the same successor during its grace period. Returns `'REUSED'` for an older token, after ending the session, and
 * undefined if the token belongs to no active session.
 */
export const refreshSession = async (
  db: Database,
  refreshToken: string,
  { device, network, address, requestId }: ClientInfo = {},
): Promise<RefreshableSession | 'REUSED' | undefined> => {
  const token = parseRefreshToken(refreshToken);
  if (token === undefined) return undefined;
  return transaction(db, async (trx) => {
    // Locks the row, so that only the first of concurrent refreshes creates the successor.
    const session = await trx
      .selectFrom('sessions')
      .select(['id', 'user_id', 'refresh_token_hash', 'previous_token_hash', 'successor_salt'])
      // now() is the time of arrival, however long the request has waited for the lock.
      .select(sql<boolean>`refreshed_at >= now() - ${refreshGraceSeconds} * interval '1 second'`.as('isInGrace'))
      .where('family_hash', '=', token.familyHash)
      .where('expires_at', '>', sql<Date>`now()`)
      .forUpdate()
      .executeTakeFirst();
    if (session === undefined) return undefined;
    const { id: sessionId, user_id: userId } = session;
    if (token.hash.equals(session.refresh_token_hash)) {
      const salt = randomBytes(32);
      const successor = createSuccessorToken(token, salt);
      await trx
        .updateTable('sessions')
        .set({
          refresh_token_hash: successor.hash,
          previous_token_hash: token.hash,
          successor_salt: salt,
          refreshed_at: sql`clock_timestamp()`,
          ...(device !== undefined && { device }),
          ...(network !== undefined && { network }),
          expires_at: refreshTokenExpiry,
        })
        .where('id', '=', sessionId)
        .execute();
      return { sessionId, userId, refreshToken: successor.text };
    }
    const { previous_token_hash: previousHash, successor_salt: salt, isInGrace } = session;
    if (isInGrace && salt !== null && previousHash !== null && token.hash.equals(previousHash)) {
      return { sessionId, userId, refreshToken: createSuccessorToken(token, salt).text };
    }
    await deleteSession(trx, sessionId);
    await insertAuditEntry(trx, { action: 'REFRESH_TOKEN_REUSED', actor: 'NOBODY', userId, address, requestId });
    return 'REUSED';
  });
};

/** Returns the user of an active session. Runs with every request, so it is one primary-key lookup. */
export const findSessionUser = async (db: Database, sessionId: string): Promise<SessionUser | undefined> =>
  selectLiveSessions(prepared(db, 'session_user')).where('sessions.id', '=', sessionId).executeTakeFirst();

/**
 * Returns the user of the active session of a refresh token, to end that session. Accepts old tokens: using one would
 * end the session anyway, see [Note: Refresh tokens].
 */
export const findUserOfRefreshToken = async (db: Database, refreshToken: string): Promise<SessionUser | undefined> => {
  const token = parseRefreshToken(refreshToken);
  return token && selectLiveSessions(db).where('sessions.family_hash', '=', token.familyHash).executeTakeFirst();
};

export const listLiveSessions = async (db: Database, sessionIds: readonly string[]): Promise<Set<string>> => {
  const rows = await selectLiveSessions(prepared(db, 'live_sessions'))
    .where(sql<boolean>`sessions.id = any(${sessionIds}::uuid[])`)
    .execute();
  return new Set(rows.map((row) => row.sessionId));
};

const selectLiveSessions = (db: Database) =>
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
  /** Time of sign-in or last refresh. */
  readonly usedAt: Date;
}

export type SessionPosition = Pick<UserSession, 'createdAt' | 'id'>;

/** Lists the user's active sessions, latest sign-in first. */
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

/** Truncated to the precision of `Date`, so that a position in the list can be found again. */
const createdAt = sql<Date>`date_trunc('milliseconds', created_at)`;

/**
 * Ends one session of a user.
 * @throws NotFoundError if the user has no such active session
 */
export const endUserSession = async (db: Database, userId: string, id: string): Promise<void> => {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirstOrThrow(() => new NotFoundError('session'));
};

/** Ends all sessions of a user except one. Ends all file links too, because they do not record their session. */
export const endOtherSessions = async (db: Database, userId: string, sessionId: string): Promise<void> =>
  transaction(db, async (trx) => {
    await trx.updateTable('users').set({ link_epoch: newLinkEpoch }).where('id', '=', userId).execute();
    await trx.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', sessionId).execute();
  });

/**
 * Gives a session a new refresh token and a new id, so that access tokens of the old id are rejected. Returns undefined
 * if the session has ended.
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
      expires_at: refreshTokenExpiry,
    })
    .where('id', '=', sessionId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['id', 'user_id'])
    .executeTakeFirst();
  return session && { sessionId: session.id, userId: session.user_id, refreshToken: token.text };
};

export const deleteSession = async (db: Database, sessionId: string): Promise<void> => {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute();
};

/** Deletes expired sessions and returns their number. */
export const deleteExpiredSessions = async (db: Database): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('expires_at', '<=', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
};

const refreshTokenExpiry = sql<Date>`now() + ${refreshTokenDays} * interval '1 day'`;
