import { parseArgs } from 'node:util';
import { claimRun } from '@hearth/core/runs/componentRuns.ts';
import { rollUpCounts } from '@hearth/api/lists/counts.ts';
import { openDatabase, type Database } from '@hearth/core/db/database.ts';
import { reprocessMovedPlace, writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { rollUpMapCounts } from '@hearth/api/features/places/mapCounts.ts';
import { recordOutcome } from '@hearth/core/runs/runOutcomes.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { measureCpuSeconds } from '@hearth/testkit/figures/cost.ts';
import { describeMachine, publishTable, formatToday } from '@hearth/testkit/figures/publish.ts';
import { mean } from '@hearth/testkit/figures/statistics.ts';

/*
 * npm run bench:counts [-- --items 600 --publish]
 *
 * Measures the database CPU per photo, from its first row to READY with a place, with and without the triggers that
 * maintain counts. All other triggers, such as those for collections and search words, stay on. The roll-up of
 * count deltas is included. The two states alternate every 50 photos, so that other load affects both.
 */
const { values } = parseArgs({
  options: { items: { type: 'string', default: '600' }, publish: { type: 'boolean', default: false } },
});
const batchSize = 50;

/** Triggers that maintain counts. The other triggers notify clients, fill collections and write search words. */
const countTriggers = {
  media_items: [
    'media_items_counts_insert',
    'media_items_counts_update',
    'media_items_counts_delete',
    'media_items_map_insert',
    'media_items_map_update',
    'media_items_map_delete',
  ],
  collection_items: [
    'collection_items_counts_insert',
    'collection_items_counts_update',
    'collection_items_counts_delete',
  ],
} as const;

const database = await createMigratedDatabase();
// With one connection a single server process does all the work, so that its CPU time is the total.
const db = openDatabase({ url: database.url, maxConnections: 1, onError: () => undefined, isWatched: false });
const { id: userId } = await buildUser(db);
const { pid: backend } = await db
  .selectNoFrom(({ fn }) => fn<number>('pg_backend_pid', []).as('pid'))
  .executeTakeFirstOrThrow();
const cpuSeconds = (): number => measureCpuSeconds(backend);

const setTriggers = async (state: 'enable' | 'disable'): Promise<void> => {
  for (const [table, triggers] of Object.entries(countTriggers)) {
    for (const trigger of triggers) await queryOnce(database.url, `alter table ${table} ${state} trigger ${trigger}`);
  }
};

const place = { countryCode: 'DE', country: 'Germany', state: 'Berlin', city: 'Berlin' };

/** Writes a photo's rows as the API and a worker do. */
const insertItems = async (n: number): Promise<void> => {
  const day = String(1 + (n % 28)).padStart(2, '0');
  const { id } = await buildMediaItem(db, userId, { filename: `IMG_${n}.jpg` });
  const changes = {
    local_time: `2019-05-${day}T10:30:00`,
    camera_make: 'Apple',
    camera_model: 'iPhone 12',
    latitude: 52.5 + n / 1e5,
    longitude: 13.4,
  };
  for (const outcome of [
    {
      state: 'DONE',
      changes,
      writes: { write: (trx: Database) => reprocessMovedPlace(trx, id, changes) },
      warnings: [],
    },
    {
      state: 'DONE',
      changes: { width_px: 4032, height_px: 3024, preview_key: `p${n}`, thumbnail_key: `t${n}` },
      warnings: [],
    },
    { state: 'DONE', warnings: [], writes: { write: (trx: Database) => writeItemPlace(trx, id, place) } },
  ] as const) {
    const claim = await claimRun(db, id, 'media', 60_000);
    if (claim === undefined) throw new Error('a photo has fewer components than expected');
    await recordOutcome(db, claim, outcome);
  }
};

/** Inserts one batch and returns the database CPU per photo, in ms. */
const measureBatch = async (begin: number): Promise<number> => {
  const before = cpuSeconds();
  for (let n = begin; n < begin + batchSize; n++) await insertItems(n);
  for (const rollUp of [rollUpCounts, rollUpMapCounts]) while ((await rollUp(db, 5_000)) > 0);
  return ((cpuSeconds() - before) * 1_000) / batchSize;
};

const cpuMs: { readonly withCounts: number[]; readonly withoutCounts: number[] } = {
  withCounts: [],
  withoutCounts: [],
};
try {
  for (let begin = 0; begin < Number(values.items); begin += 2 * batchSize) {
    await setTriggers('enable');
    const withCounts = await measureBatch(begin);
    await setTriggers('disable');
    const withoutCounts = await measureBatch(begin + batchSize);
    // The first batches only warm the caches.
    if (begin === 0) continue;
    cpuMs.withCounts.push(withCounts);
    cpuMs.withoutCounts.push(withoutCounts);
  }
} finally {
  await db.destroy();
  await database.drop();
}

const [withCounts, withoutCounts] = [mean(cpuMs.withCounts), mean(cpuMs.withoutCounts)];
const table = [
  `${formatToday()}: ${values.items} photos; ${describeMachine()}.`,
  '',
  '| CPU of the database per photo |  |',
  '| --- | ---: |',
  `| from the first row to READY with a place | ${withCounts.toFixed(1)} ms |`,
  `| the same without count triggers | ${withoutCounts.toFixed(1)} ms |`,
  `| cost of the count triggers | ${(withCounts - withoutCounts).toFixed(1)} ms |`,
].join('\n');
await publishTable('bench:counts', table, values);
process.exit(0);
