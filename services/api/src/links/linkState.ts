import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';

/** State that decides if a user's signed file links are valid: the epoch must be current and the item not hidden. */
export interface LinkState {
  /** Changes when all links of the user are revoked. Each link contains the epoch it was signed with. */
  readonly epoch: number;
  /** Identifies the set of hidden items. */
  readonly hiddenVersion: string;
  /** Hidden items, including the video halves of hidden Live Photos. */
  readonly hiddenIds: ReadonlySet<string>;
}

/** SQL for a new `users.link_epoch`. Random, so that a database restored from a backup never repeats an epoch. */
export const newLinkEpoch = sql<number>`floor(random() * 2147483647)::integer`;

/**
 * Reads the state of a user's links. Returns undefined if the account does not exist or is being removed.
 * @param known previous state, which saves reading the hidden ids if they are unchanged
 */
export const findLinkState = async (
  db: Database,
  userId: string,
  known?: LinkState,
): Promise<LinkState | undefined> => {
  const { rows } = await sql<{ epoch: number; hiddenVersion: string; hiddenIds: string[] | null }>`
    select link_epoch as epoch, hidden.version as "hiddenVersion",
      case when hidden.version is distinct from ${known?.hiddenVersion ?? null} then array(
        select unnest(array_remove(array[id, motion_item_id], null)) from media_items
        where user_id = ${userId} and is_hidden
      ) end as "hiddenIds"
    from users, lateral (
      select concat_ws(' ', count(*),
        bit_xor(uuid_hash_extended(id, 0)), bit_xor(uuid_hash_extended(motion_item_id, 1))) as version
      from media_items where user_id = users.id and is_hidden
    ) as hidden
    where users.id = ${userId} and removing_at is null`.execute(prepared(db, 'link_state'));
  const [row] = rows;
  return row && { ...row, hiddenIds: row.hiddenIds === null ? known!.hiddenIds : new Set(row.hiddenIds) };
};
