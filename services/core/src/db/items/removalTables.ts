import type { Generated } from 'kysely';

/** A tombstone of an item, see [Note: Abandoned items]. */
export interface AbandonedItemTable {
  media_item_id: string;
  abandoned_at: Generated<Date>;
}

/** An original in the store without a row, since it was first seen. */
export interface OrphanTable {
  user_id: string;
  media_item_id: string;
  size_bytes: number;
  first_seen_at: Generated<Date>;
  last_seen_at: Generated<Date>;
}

/** A tombstone of an account. */
export interface RemovedUserTable {
  user_id: string;
  removed_at: Generated<Date>;
}
