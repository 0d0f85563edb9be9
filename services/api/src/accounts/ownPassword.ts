import { sql } from 'kysely';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import type { UserRow } from '@hearth/core/db/schema.ts';
import { presentUser } from './users.ts';
import { endOtherSessions, renewSession, type RefreshableSession } from './sessions.ts';

/** The name and the hash that a user who has signed in is checked by before the password is changed; undefined where the account is being removed. */
export const findOwnCredentials = async (
  db: Database,
  userId: string,
): Promise<Pick<UserRow, 'username' | 'password_hash'> | undefined> =>
  presentUser(db, userId).select(['username', 'password_hash']).executeTakeFirst();

/** A password that is to take the place of another one, and the session of whoever changes it. */
export interface PasswordChange {
  readonly userId: string;
  readonly sessionId: string;
  readonly oldHash: string;
  readonly newHash: string;
}

/**
 * Replaces the password that was checked, and ends the user's other sessions and all file links, also sessions just being opened with the old
 * password. Returns the session in use with new tokens; undefined if the checked password is no longer the password, or the session has ended.
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
