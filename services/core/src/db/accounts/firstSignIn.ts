import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';

/**
 * The only account there is, where nobody has ever signed in; undefined otherwise. Photos tell it too: sign-ins are kept for 90 days, and a
 * library lasts longer.
 */
export const findUserWhoNeverSignedIn = async (db: Database): Promise<string | undefined> => {
  const [user, ...others] = await db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`not exists (select from sessions) and not exists (select from media_items)`)
    .where(sql<boolean>`not exists (select from audit_log where action = 'SIGNED_IN')`)
    .limit(2)
    .execute();
  return others.length === 0 ? user?.id : undefined;
};
