import { parseArgs } from 'node:util';
import { rollUpCounts } from '@hearth/api/lists/counts.ts';
import { listMediaItems, type ListPosition, type MediaItemPage, type Page } from '@hearth/api/lists/mediaItemLists.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { fillLibrary } from '@hearth/testkit/libraries/fillLibrary.ts';
import { describeMachine, saveFigures, renderRow } from '@hearth/testkit/figures/publish.ts';
import { median } from '@hearth/testkit/figures/statistics.ts';

/*
 * Checks that a page deep in a library costs the same as the first page. Each round reads the first page, the page at
 * 90 % of the depth by number, and the same page by cursor, so that other load affects all three.
 * Exits with 1 if the deep page's median is more than `allowedRatio` times the first page's.
 */
const allowedRatio = 2;
const limit = 15;
const warmUpRounds = 50;

const { values: options } = parseArgs({
  options: {
    items: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '400' },
    json: { type: 'string' },
  },
});
const items = Number(options.items);
const rounds = Number(options.rounds);

/** Median times in one state of the library, in ms. */
interface Result {
  readonly state: string;
  readonly firstPageMs: number;
  readonly deepPageMs: number;
  readonly deepCursorMs: number;
  /** Ratio of the deep page by number to the first page. */
  readonly ratio: number;
}

const database = await createMigratedDatabase();
const { db, url } = database;
const { id: userId } = await buildUser(db);

const listPage = (start: Page['start']): Promise<MediaItemPage> =>
  listMediaItems(db, userId, { visibility: 'visible' }, { limit, start });

const rollUpAll = async (): Promise<void> => {
  while ((await rollUpCounts(db, 5_000)) > 0);
};

const measure = async (state: string): Promise<Result> => {
  const { totalCount } = await listPage({ number: 1 });
  const pageCount = Math.ceil(totalCount / limit);
  // Different pages, because a single one would stay in the CPU cache.
  const pageNumbers = Array.from({ length: 40 }, (_, index) => Math.floor(pageCount * 0.9) - index);
  const positions = await Promise.all(pageNumbers.map(findPositionBefore));
  const times: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    const index = round % pageNumbers.length;
    const starts = [{ number: 1 }, { number: pageNumbers[index]! }, { after: positions[index]! }] as const;
    for (const [kind, start] of starts.entries()) {
      const begunAt = performance.now();
      const page = await listPage(start);
      const ms = performance.now() - begunAt;
      if (page.items.length !== limit) throw new Error(`a page has ${page.items.length} items instead of ${limit}`);
      if (round >= warmUpRounds) times[kind]!.push(ms);
    }
  }
  const [firstPageMs, deepPageMs, deepCursorMs] = times.map(median) as [number, number, number];
  return { state, firstPageMs, deepPageMs, deepCursorMs, ratio: deepPageMs / firstPageMs };
};

const findPositionBefore = async (number: number): Promise<ListPosition> => {
  const { local_time: localTime, id } = (await listPage({ number: number - 1 })).items.at(-1)!;
  return { localTime, id };
};

const results: Result[] = [];
try {
  await fillLibrary(url, userId, items);
  await fillLibrary(url, (await buildUser(db)).id, 1_000);
  await rollUpAll();
  await queryOnce(url, 'vacuum analyze');
  results.push(await measure('vacuumed'));

  // Shifting the time by a minute adds new entries to every index of the list and keeps the old ones.
  await queryOnce(url, 'alter table media_items set (autovacuum_enabled = false)');
  await queryOnce(
    url,
    `update media_items set local_time = local_time + interval '1 minute' where get_byte(uuid_send(id), 0) < 26`,
  );
  await rollUpAll();
  results.push(await measure('10 % of the rows updated, not vacuumed'));

  // One statement per item, as workers write. Each appends two deltas.
  await queryOnce(
    url,
    `do $$ declare item uuid; begin
       for item in select id from media_items where user_id = '${userId}' limit 10000 loop
         update media_items set is_favourite = not is_favourite where id = item;
       end loop;
     end $$`,
  );
  results.push(await measure('20,000 deltas not rolled up'));
} finally {
  await database.drop();
}

const ms = (value: number): string => value.toFixed(2);
console.log(`
Median of ${rounds} rounds over ${items} items, pages of ${limit}; ${describeMachine()}

| state of the library | first page (ms) | page at 90 % (ms) | the same by cursor (ms) | deep : first |
|---|---|---|---|---|`);
for (const { state, firstPageMs, deepPageMs, deepCursorMs, ratio } of results) {
  console.log(renderRow(state, ms(firstPageMs), ms(deepPageMs), ms(deepCursorMs), ratio.toFixed(2)));
}
await saveFigures(options.json, { items, limit, rounds, allowedRatio, results });
if (results.some(({ ratio }) => ratio > allowedRatio)) {
  console.error(`\nA deep page costs more than ${allowedRatio} times the first one.`);
  process.exitCode = 1;
}
