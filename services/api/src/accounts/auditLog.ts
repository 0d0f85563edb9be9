import { sql, type RawBuilder } from 'kysely';
import type { AuditAction, AuditActor } from '@hearth/contract/audit.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { deletedAtOnce, deleteSome } from '../database/deleteSome.ts';
import type { AuditRow } from '@hearth/core/db/schema.ts';

export interface NewAuditEntry {
  readonly action: AuditAction;
  readonly actor: AuditActor;
  readonly userId?: string | undefined;
  readonly subject?: string | undefined;
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
}

/** Days for which entries are kept. */
const keptDays = 90;

/** Failed attempts to sign in that are kept at most: strangers could otherwise fill the disk with them, some 200 bytes each. */
const keptFailures = 500_000;

/** Keeps an entry, whatever the log level. */
export const insertAuditEntry = async (db: Database, { userId, requestId, ...entry }: NewAuditEntry): Promise<void> => {
  await db
    .insertInto('audit_log')
    .values({ ...entry, user_id: userId, request_id: requestId })
    .execute();
};

/** Entries, the latest first; those before the entry `beforeId`, where that is given. */
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

/** Removes what is older than 90 days, and all but the latest failed attempts to sign in, in batches; answers how many entries that were. */
export const trimAuditLog = async (db: Database, mostFailures = keptFailures): Promise<number> =>
  (await removeWhere(db, sql`at < now() - ${keptDays} * interval '1 day'`)) +
  (await removeWhere(
    db,
    sql`action = 'SIGN_IN_FAILED' and id <= (
      select id from audit_log where action = 'SIGN_IN_FAILED' order by id desc offset ${mostFailures} limit 1
    )`,
  ));

const removeWhere = async (db: Database, condition: RawBuilder<unknown>): Promise<number> => {
  let removed = 0;
  for (let inBatch = deletedAtOnce; inBatch === deletedAtOnce; removed += inBatch)
    inBatch = await deleteSome(db, 'audit_log', condition, deletedAtOnce);
  return removed;
};
