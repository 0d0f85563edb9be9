import type { Features } from '@hearth/contract/features.ts';
import type { User } from '@hearth/contract/users.ts';
import { featureNames } from '@hearth/contract/vocabulary.ts';
import type { Features as FeatureSwitches } from '@hearth/core/db/schema.ts';
import type { User as UserRow } from './users.ts';

/** Converts an account to its API form for the administrator. */
export const presentUser = (row: UserRow): User => ({
  id: row.id,
  name: row.name,
  username: row.username,
  features: presentFeatures(row.features),
  usedBytes: row.used_bytes,
  ...(row.quota_bytes !== null && { quotaBytes: row.quota_bytes }),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** Returns the state of every feature. Features are on by default. */
export const presentFeatures = (switches: FeatureSwitches): Features =>
  Object.fromEntries(featureNames.map((name) => [name, switches[name] !== false])) as Features;
