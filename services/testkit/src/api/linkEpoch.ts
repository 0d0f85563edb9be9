import type { Database } from '@hearth/core/db/database.ts';

/** Returns the fields of a session that sign a user's file links. */
export const getLinkEpoch = async (db: Database, userId: string): Promise<{ userId: string; linkEpoch: number }> => {
  const row = await db.selectFrom('users').select('link_epoch').where('id', '=', userId).executeTakeFirstOrThrow();
  return { userId, linkEpoch: row.link_epoch };
};
