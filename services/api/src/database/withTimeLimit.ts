import { sql, type KyselyPlugin, type Transaction } from 'kysely';
import { AppError } from '@hearth/core/log/errors.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import type { Tables } from '@hearth/core/db/schema.ts';

/**
 * Runs slow queries in one transaction with a time limit. Each query is cancelled after `ms`. No query starts more than
 * `ms` after the call, so the connection is in use for at most twice `ms`.
 * @throws AppError UNAVAILABLE with `sentence` after a timeout
 */
export const withTimeLimit = async <Result>(
  db: Database,
  { ms, sentence }: { readonly ms: number; readonly sentence: string },
  work: (trx: Database) => Promise<Result>,
): Promise<Result> => {
  const createTimeoutError = (cause?: unknown) =>
    new AppError('UNAVAILABLE', sentence, { cause, retryAfterSeconds: 5 });
  const deadline = performance.now() + ms;
  const rejectLateQueries: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (performance.now() > deadline) throw createTimeoutError();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  try {
    return await transaction(db, async (trx: Transaction<Tables>) => {
      await sql`select set_config('statement_timeout', ${String(ms)}, true)`.execute(trx);
      return work(trx.withPlugin(rejectLateQueries));
    });
  } catch (error) {
    // PostgreSQL's query_canceled.
    throw (error as NodeJS.ErrnoException).code === '57014' ? createTimeoutError(error) : error;
  }
};
