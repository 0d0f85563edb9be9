import { markerKey } from '@hearth/core/objects/marker.ts';
import type { Query } from '@hearth/testkit/run/actsLog.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import type { DrillTarget } from './drillTarget.ts';

/** Resolves when the orphan sweep has run again. @throws after a minute */
export const waitForOrphanSweep = async (query: Query, since: Date): Promise<void> => {
  const statement = `select from housekeeping_tasks where name = 'remove orphans' and finished_at > $1`;
  await waitFor('the orphan sweep', async () => (await query(statement, [since])).length === 1, { timeoutMs: 60_000 });
};

/** Compares the object store with the rows. Returns a message for each difference. */
export const checkStored = async ({
  query,
  listStored,
}: Pick<DrillTarget, 'query' | 'listStored'>): Promise<string[]> => {
  const rows = await query<Readonly<Record<string, string | null>>>(
    `select user_id || '/' || id || '/original', preview_key, thumbnail_key, poster_key, motion_key from media_items`,
  );
  const expected = new Set(rows.flatMap((row) => Object.values(row).filter((key) => key !== null))).add(markerKey);
  const found = new Set(await listStored());
  // Uploads interrupted between storing the object and inserting the row.
  const waiting = await query<{ readonly key: string }>(
    `select user_id || '/' || media_item_id || '/original' as key from orphans`,
  );
  for (const { key } of waiting) expected.add(key);
  return [
    ...[...expected.difference(found)].map((key) => `object "${key}" of a row is missing`),
    ...[...found.difference(expected)].map((key) => `object "${key}" belongs to no row, even after the sweep`),
  ];
};
