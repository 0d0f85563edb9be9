import { setTimeout as sleep } from 'node:timers/promises';
import type { Query } from '@hearth/core/testing/actsLog.ts';

/** How many items an account has, of whatever visibility. */
export const countItems = async (query: Query, userId: string): Promise<number> => {
  const [row] = await query<{ n: number }>('select count(*)::int as n from media_items where user_id = $1', [userId]);
  return row!.n;
};

/** Milliseconds without a row less after which the removal counts as stuck: more than the start of the API and a lease. */
const patienceMs = 180_000;

/** Resolves when the account's own row is gone, the last one. @throws where nothing moves any more */
export const waitUntilGone = async (query: Query, userId: string): Promise<void> => {
  let left = Infinity;
  for (let movedAt = performance.now(); ; await sleep(500)) {
    const [user] = await query('select from users where id = $1', [userId]);
    if (user === undefined) return;
    const now = await countItems(query, userId);
    if (now !== left) movedAt = performance.now();
    left = now;
    if (performance.now() - movedAt > patienceMs) throw new Error(`${left} items are left, and nothing moves`);
  }
};
