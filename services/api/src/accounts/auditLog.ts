import { sql, type RawBuilder } from 'kysely';
import type { AuditAction, AuditActor } from '@hearth/contract/audit.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { deleteBatchSize, deleteBatch } from '../database/deleteBatch.ts';
import type { AuditRow } from '@hearth/core/db/schema.ts';

export interface NewAuditEntry {
  readonly action: AuditAction;
  readonly actor: AuditActor;
  readonly userId?: string | undefined;
  readonly subject?: string | undefined;
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
}

/** Retention of entries, in days. */
const keptDays = 90;

/** Maximum number of failed sign-ins to keep, about 200 bytes each. Without a limit, strangers could fill the disk. */
const keptFailures = 500_000;

/** Stores an entry regardless of the log level. */
export const insertAuditEntry = async (db: Database, { userId, requestId, ...entry }: NewAuditEntry): Promise<void> => {
  await db
    .insertInto('audit_log')
    .values({ ...entry, user_id: userId, request_id: requestId })
    .execute();
};

/** Returns entries, newest first, starting after `beforeId` if given. */
export const listAuditEntries = async (
  db: Database,
  { limit, beforeId }: { readonly limit: number; readonly beforeId?: string | undefined },
): Promise<AuditRow[]> =>
  db
    .selectFrom('audit_log')
    .selectAll()
    .$if(beforeId !== undefined, (query) => query.where(sql<boolean>`id < ${beforeId}::bigint`))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/**
 * Deletes entries older than 90 days and all but the latest failed sign-ins, in batches. Returns the number of deleted
 * entries.
 */
export const trimAuditLog = async (db: Database, maxFailures = keptFailures): Promise<number> =>
  (await removeWhere(db, sql`at < now() - ${keptDays} * interval '1 day'`)) +
  (await removeWhere(
    db,
    sql`action = 'SIGN_IN_FAILED' and id <= (
      select id from audit_log where action = 'SIGN_IN_FAILED' order by id desc offset ${maxFailures} limit 1
    )`,
  ));

const removeWhere = async (db: Database, condition: RawBuilder<unknown>): Promise<number> => {
  let removed = 0;
  for (let inBatch = deleteBatchSize; inBatch === deleteBatchSize; removed += inBatch)
    inBatch = await deleteBatch(db, 'audit_log', condition, deleteBatchSize);
  return removed;
};
