import type { Database } from '../connection/database.ts';

/**
 * The only account there is, where nobody has ever signed in; undefined otherwise. Photos tell it too: sign-ins are kept for 90 days, and a
 * library lasts longer.
 */
export const findUserWhoNeverSignedIn = async (db: Database): Promise<string | undefined> => {
  const [user, ...others] = await db
    .selectFrom('users')
    .select('id')
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('sessions').select('sessions.id'))))
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('media_items').select('media_items.id'))))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('audit_log').select('audit_log.id').where('action', '=', 'SIGNED_IN'))),
    )
    .limit(2)
    .execute();
  return others.length === 0 ? user?.id : undefined;
};

/** The hash that the account's password is checked against; undefined where the account is gone. */
export const findPasswordHash = async (db: Database, userId: string): Promise<string | undefined> => {
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .where('removing_at', 'is', null)
    .executeTakeFirst();
  return user?.password_hash;
};
