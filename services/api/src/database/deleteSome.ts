import { sql, type RawBuilder } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';

/** Rows that are deleted in one statement: some 0.1 s. */
export const deletedAtOnce = 5_000;

/** Deletes up to `limit` rows of a table, and answers how many: a statement that removes all of them may take longer than any time-out. */
export const deleteSome = async (
  trx: Database,
  table: string,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<number> => {
  // The condition stands there twice, since a row may have changed, and lie in another place, since it was found.
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where (${condition}) and ctid = any(array(
      select ctid from ${sql.table(table)} where ${condition} limit ${limit}))`.execute(trx);
  return Number(numAffectedRows);
};
