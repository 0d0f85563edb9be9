import { allowIdling, untilBlocked } from '@hearth/testkit/database/blockedQueries.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';

/** The removal of an account that has come to its middle and goes no further. */
export interface HeldRemoval {
  /** Resolves when the removal waits there. */
  readonly reached: () => Promise<void>;
  readonly release: () => Promise<void>;
}

/** Locks the item in the middle of an account's, by id, which is the order in which they are removed. */
export const holdRemoval = async (db: Database, userId: string, items: number): Promise<HeldRemoval> => {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = transaction(db, async (trx) => {
    // The removal may need minutes to come here: longer than a transaction may wait for its program.
    await allowIdling(trx);
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
    reached: async () => Promise.race([untilBlocked(db, 'order by id limit', 60 + items / 100), holding]),
    release: async () => {
      released.resolve();
      await holding;
    },
  };
};
