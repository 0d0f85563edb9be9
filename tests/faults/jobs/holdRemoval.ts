import { allowIdleTransaction, waitUntilBlocked } from '@hearth/testkit/database/blockedQueries.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';

/** An account removal that is blocked halfway. */
export interface HeldRemoval {
  /** Resolves when the removal is blocked. */
  readonly reached: () => Promise<void>;
  readonly release: () => Promise<void>;
}

/** Locks the middle item of an account, in the order of the ids. The removal deletes items in this order too. */
export const holdRemoval = async (db: Database, userId: string, items: number): Promise<HeldRemoval> => {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = transaction(db, async (trx) => {
    // The removal may take minutes to get here, longer than the idle-in-transaction timeout.
    await allowIdleTransaction(trx);
    const { id } = await trx
      .selectFrom('media_items')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('id')
      .offset(Math.floor(items / 2))
      .limit(1)
      .executeTakeFirstOrThrow();
    await trx.selectFrom('media_items').select('id').where('id', '=', id).forUpdate().execute();
    locked.resolve();
    await released.promise;
  });
  await Promise.race([locked.promise, holding]);
  return {
    reached: async () => Promise.race([waitUntilBlocked(db, 'order by id limit', 60 + items / 100), holding]),
    release: async () => {
      released.resolve();
      await holding;
    },
  };
};
