import { findAllCountErrors } from './countErrors.ts';
import assert from 'node:assert/strict';
import type { MediaItemFilter } from '@hearth/api/lists/counts.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { listMediaItems } from '@hearth/api/lists/mediaItemLists.ts';

/** All filters over the values that `libraryHistory.ts` uses. */
const filters: readonly MediaItemFilter[] = (['visible', 'hidden', 'trash'] as const).flatMap((visibility) =>
  ([undefined, 'PHOTO', 'VIDEO'] as const).flatMap((type) =>
    ([undefined, 'DEFAULT', 'LIVE'] as const).flatMap((category) =>
      ([undefined, 'PROCESSING', 'READY'] as const).flatMap((status) =>
        [undefined, true, false].map((isFavourite) => ({ visibility, type, category, status, isFavourite })),
      ),
    ),
  ),
);

/** Asserts that the stored counts equal a recount of all items, for each user and each filter. */
export const expectCountsRight = async (db: Database): Promise<void> => {
  assert.deepEqual(await findAllCountErrors(db), []);
  const items = await db.selectFrom('media_items').selectAll().execute();
  for (const { id } of await db.selectFrom('users').select('id').execute()) {
    for (const filter of filters) {
      const found = items.filter((item) => item.user_id === id && isMatch(item, filter)).length;
      assert.equal(await countMediaItems(db, id, filter), found, `${JSON.stringify(filter)} of ${id}`);
    }
  }
};

const isMatch = (item: MediaItemRow, { visibility, type, category, status, isFavourite }: MediaItemFilter): boolean =>
  item.visibility === visibility &&
  (type ?? item.type) === item.type &&
  (category ?? item.category) === item.category &&
  (status ?? item.status) === item.status &&
  (isFavourite ?? item.is_favourite) === item.is_favourite;

/** Returns the number of a user's items by the stored counts. */
export const countMediaItems = async (db: Database, userId: string, filter: MediaItemFilter): Promise<number> =>
  (await listMediaItems(db, userId, filter, { limit: 1, start: { number: 1 } })).totalCount;
