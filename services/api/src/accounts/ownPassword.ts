import { sql } from 'kysely';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import type { UserRow } from '@hearth/core/db/schema.ts';
import { selectUser } from './users.ts';
import { endOtherSessions, renewSession, type RefreshableSession } from './sessions.ts';

/** Returns the credentials for checking the current password, or undefined if the account is being removed. */
export const findOwnCredentials = async (
  db: Database,
  userId: string,
): Promise<Pick<UserRow, 'username' | 'password_hash'> | undefined> =>
  selectUser(db, userId).select(['username', 'password_hash']).executeTakeFirst();

export interface PasswordChange {
  readonly userId: string;
  readonly sessionId: string;
  readonly oldHash: string;
  readonly newHash: string;
}

/**
 * Replaces the password. Ends all file links and the user's other sessions, including those that are being opened with
 * the old password. Returns a new refresh token for the current session, or undefined if `oldHash` is outdated, the
 * account is being removed or the session has ended.
 */
export const replacePassword = async (
  db: Database,
  { userId, sessionId, oldHash, newHash }: PasswordChange,
): Promise<RefreshableSession | undefined> =>
  transaction(db, async (trx) => {
    const changed = await trx
      .updateTable('users')
      .set({ password_hash: newHash, updated_at: sql`now()` })
      .where('id', '=', userId)
      .where('password_hash', '=', oldHash)
      .where('removing_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (changed === undefined) return undefined;
    await endOtherSessions(trx, userId, sessionId);
    return renewSession(trx, sessionId);
  });
