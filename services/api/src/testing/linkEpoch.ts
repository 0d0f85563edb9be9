import type { Database } from '@hearth/core/db/connection/database.ts';

/** What signing the file links of a user needs, as the session of that user has it. */
export const epochOf = async (db: Database, userId: string): Promise<{ userId: string; linkEpoch: number }> => {
  const row = await db.selectFrom('users').select('link_epoch').where('id', '=', userId).executeTakeFirstOrThrow();
  return { userId, linkEpoch: row.link_epoch };
};
