import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { findServer, queryOnce } from '@hearth/testkit/database/postgres.ts';
import { fillDatabase, rollUpAll } from '@hearth/testkit/libraries/fillDatabase.ts';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { saveFigures, publishTable } from '@hearth/testkit/figures/publish.ts';
import { assertFindsUniquePhoto } from './assertFindsUniquePhoto.ts';
import { measureReads, type ReadResult } from './measureReads.ts';
import { readCases } from './readCases.ts';
import { missedReads, readsTable } from './readsTable.ts';
import { startReader, type ReaderApi } from './startReader.ts';

/*
 * npm run bench:reads [-- --sizes 10000,100000,1000000 --scans 45000 --rounds 200 --publish]
 *
 * Measures every kind of read with one client, relative to `GET /version` of the same process in the same round. Exits
 * with 1 if a bound is exceeded. Each library has its own process:
 * - each size
 * - one that was mostly uploaded within one hour
 * - a second user with 20 items, next to the largest library
 * - the last three libraries again, after a tenth of the items in their database has changed
 *
 *   --json PATH   writes all figures
 *   --only TEXT   selects reads by name
 */
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    scans: { type: 'string', default: '45000' },
    rounds: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
});
const sizes = values.sizes.split(',').map(Number);
const scans = Number(values.scans);
const rounds = Number(values.rounds);
const cases = readCases.filter((readCase) => readCase.name.includes(values.only));

const formatCount = (count: number): string => count.toLocaleString('en');
const directory = await makeFolder('bench-reads');
const databases = [];
const apis: ReaderApi[] = [];
const results: ReadResult[] = [];
/** Saves the results so far, because a run takes an hour. */
const saveResults = (): Promise<void> => saveFigures(values.json, { rounds, results });
try {
  for (const [index, size] of sizes.entries()) {
    const database = await createMigratedDatabase();
    databases.push(database);
    const isLargest = index === sizes.length - 1;
    const api = await startReader(database.url, join(directory, String(index)), isLargest ? 3 : 1);
    apis.push(api);
    const [one, libraryWithScans, small] = api.userIds;
    await fillDatabase(database.url, [
      { userId: one!, items: size },
      ...(libraryWithScans === undefined ? [] : [{ userId: libraryWithScans, items: scans / 10, scans }]),
      ...(small === undefined ? [] : [{ userId: small, items: 20 }]),
    ]);
    console.log(`filled ${formatCount(size)}`);
  }
  /** Signs in every user. Called before each series of reads, because a token lasts only 15 minutes. */
  const signInReaders = async () => {
    const signedIn = (await Promise.all(apis.map((api) => api.signIn()))).flat();
    const names = [
      ...sizes.map(formatCount),
      `${formatCount(scans)} of ${formatCount(scans * 1.1)} in one hour`,
      'a second user with 20',
    ];
    return signedIn.map(({ url, token }, index) => ({ name: names[index]!, url, token }));
  };
  for (const [index, { name: library, url, token }] of (await signInReaders()).entries())
    if (index < sizes.length)
      await assertFindsUniquePhoto(databases[index]!.url, apis[index]!.userIds[0]!, { library, url, token });
  results.push(...(await measureReads(await signInReaders(), rounds, cases)));
  await saveResults();

  // Shifting the time by a minute adds new entries to every index of a list. Without autovacuum the old ones stay.
  const largest = databases.at(-1)!;
  for (const table of ['media_items', 'collection_items', 'search_postings', 'media_item_words']) {
    await queryOnce(largest.url, `alter table ${table} set (autovacuum_enabled = false)`);
  }
  await queryOnce(
    largest.url,
    `update media_items set local_time = local_time + interval '1 minute' where get_byte(uuid_send(id), 15) < 26`,
  );
  await rollUpAll(largest.db);
  // The checkpoint writes the 300 MB of changed rows now, so that this does not distort the reads.
  await queryOnce(await findServer(), 'checkpoint');
  // Measures all libraries in turn again, so that the changed libraries have no advantage from a warm cache.
  const changedSuffix = ', a tenth changed';
  const readers = (await signInReaders()).map(({ name: before, url, token }, index, { length }) => ({
    name: index >= length - 3 ? `${before}${changedSuffix}` : before,
    url,
    token,
  }));
  results.push(
    ...(await measureReads(readers, rounds, cases)).filter(({ library }) => library.endsWith(changedSuffix)),
  );
  await saveResults();
} finally {
  for (const api of apis) await api.stop();
  for (const database of databases) await database.drop();
  await removeFolder(directory);
}

await publishTable('bench:reads', readsTable(results, rounds), values);
const missed = missedReads(results);
for (const sentence of missed) console.error(`missed: ${sentence}`);
process.exit(missed.length > 0 ? 1 : 0);
