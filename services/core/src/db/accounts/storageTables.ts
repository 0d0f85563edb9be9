import type { GeneratedAlways } from 'kysely';

/** See [Note: Quotas]. */
export interface UserStorageTable {
  user_id: string;
  used_bytes: number;
}

/** See [Note: Quotas]. */
export interface UserStorageDeltaTable {
  id: GeneratedAlways<number>;
  user_id: string;
  bytes: number;
}
