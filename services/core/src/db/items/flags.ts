import { sql } from 'kysely';
import { NotFoundError } from '../../errors.ts';
import { transaction, type Database } from '../connection/database.ts';

/**
 * Makes items favourites or hidden, or no longer, all or none; one that is so already stays as it is.
 * @throws NotFoundError where one of them is not the user's
 */
export const setFlag = async (
  db: Database,
  userId: string,
  ids: readonly string[],
  flag: 'favourite' | 'hidden',
  isSet: boolean,
): Promise<void> =>
  transaction(db, async (trx) => {
    const wanted = [...new Set(ids)];
    const column = flag === 'favourite' ? 'is_favourite' : 'is_hidden';
    // Locked in one order, so that two calls with the same items cannot wait for each other.
    const found = await trx
      .selectFrom('media_items')
      .select(['id', column])
      .where('user_id', '=', userId)
      .where(sql<boolean>`id = any(${wanted}::uuid[])`)
      .where('removing_at', 'is', null)
      .orderBy('id')
      .forUpdate()
      .execute();
    if (found.length < wanted.length) throw new NotFoundError('media item');
    const changing = found.filter((item) => item[column] !== isSet).map(({ id }) => id);
    if (changing.length === 0) return;
    await trx
      .updateTable('media_items')
      .set({ [column]: isSet, updated_at: sql`now()` })
      .where(sql<boolean>`id = any(${changing}::uuid[])`)
      .execute();
  });
