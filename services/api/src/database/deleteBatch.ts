import { sql, type RawBuilder } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';

/** Rows deleted per statement, which takes about 0.1 s. */
export const deleteBatchSize = 5_000;

/**
 * Deletes up to `limit` rows of a table and returns their number. Deleting all at once may exceed the statement
 * timeout.
 */
export const deleteBatch = async (
  trx: Database,
  table: string,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<number> => {
  // The condition is repeated, because a row may have been updated and moved to another ctid since the subquery.
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where (${condition}) and ctid = any(array(
      select ctid from ${sql.table(table)} where ${condition} limit ${limit}))`.execute(trx);
  return Number(numAffectedRows);
};
