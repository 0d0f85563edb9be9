import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { sql } from 'kysely';
import type { SearchFilters } from '@hearth/contract/searchFilters.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { buildSearchLibrary, type SearchedItem } from '@hearth/testkit/libraries/searchLibrary.ts';
import type { PageOf } from '../../database/pages.ts';
import { searchByText, type SearchPosition } from './queries.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

/** Follows `next` from the first page to the last. Calls `change` between pages. */
const walk = async (
  userId: string,
  query: string,
  limit: number,
  change: () => Promise<void>,
  filters: SearchFilters = {},
): Promise<string[]> => {
  const walked: string[] = [];
  let start: PageOf<SearchPosition>['start'] | undefined = { number: 1 };
  while (start !== undefined) {
    const { entries, next, reasons } = await searchByText(
      db,
      { userId, features: {} },
      query,
      { limit, start },
      { filters },
    );
    walked.push(...entries.map(({ id }) => id));
    for (const { id } of entries) assert(reasons.get(id)!.length > 0, `${query} finds ${id} for no reason`);
    start = next && { after: next };
    if (start !== undefined) await change();
  }
  return walked;
};

const findAll = async (userId: string, query: string, filters: SearchFilters = {}): Promise<string[]> => {
  const pages = await Promise.all(
    [1, 2, 3, 4, 5].map(async (number) =>
      searchByText(db, { userId, features: {} }, query, { limit: 200, start: { number } }, { filters }),
    ),
  );
  return pages.flatMap(({ entries }) => entries.map(({ id }) => id));
};

const vocabulary = ['anna', 'beach', 'beaches', 'boat', '2019', '2020', 'june', 'may', 'beech'];
const anyWords = fc.array(fc.constantFrom(...vocabulary), { maxLength: 2 }).map((words) => words.join(' '));
const anyItem = fc.record<SearchedItem>({
  taken: fc.constantFrom('2019-06-01', '2019-07-01', '2020-06-01', '2020-05-05', '2021-01-01'),
  filename: anyWords.map((words) => `${words}.jpg`),
  description: anyWords.map((words) => words || 'plain'),
  things: fc.uniqueArray(fc.constantFrom('Beach', 'Boat'), { maxLength: 1 }),
  text: anyWords,
  state: fc.record({ type: fc.constantFrom('PHOTO', 'VIDEO'), is_favourite: fc.boolean() }),
});
const anyFilters: fc.Arbitrary<SearchFilters> = fc.constantFrom(
  {},
  {},
  { type: 'PHOTO' },
  { favourite: true },
  { from: '2019-07-01', to: '2020-12-31' },
  { type: 'VIDEO', favourite: false },
);
const queries = [
  'beach',
  'june',
  'may',
  'june 2019',
  'beach boat',
  'beach june 2019',
  'beeach',
  'beech',
  'anna boat',
  'videos',
  'favourites beach',
  'videos june',
  '',
];

test('a walk through any results returns each item once while items are added and removed', async () => {
  const walked = fc.asyncProperty(
    fc.array(anyItem, { minLength: 15, maxLength: 30 }),
    fc.array(fc.record({ added: fc.array(anyItem, { maxLength: 3 }), removed: fc.nat() }), {
      minLength: 8,
      maxLength: 8,
    }),
    fc.tuple(fc.constantFrom(...queries), anyFilters),
    fc.integer({ min: 1, max: 5 }),
    async (items, changes, [query, filters], limit) => {
      const { id: userId } = await buildUser(db);
      const add = async (added: readonly SearchedItem[]) =>
        buildSearchLibrary(db, userId, Object.fromEntries(added.map((item) => [randomUUID(), item])));
      await add(items);
      const before = await findAll(userId, query, filters);
      assert.deepEqual(await walk(userId, query, limit, async () => undefined, filters), before, `${query} at rest`);
      const gone = new Set<string>();
      let page = 0;
      const change = async () => {
        const { added, removed } = changes[page++ % changes.length]!;
        // Limits the number of added items, so that the walk ends.
        if (page <= changes.length) await add(added);
        const id = before[removed % before.length];
        if (id === undefined || page % 2 === 0) return;
        gone.add(id);
        await db.updateTable('media_items').set({ deleted_at: new Date() }).where('id', '=', id).execute();
      };
      const found = await walk(userId, query, limit, change, filters);
      assert.equal(new Set(found).size, found.length, `${query} repeats items`);
      const stayed = before.filter((id) => !gone.has(id));
      assert.deepEqual(
        new Set(found.filter((id) => stayed.includes(id))),
        new Set(stayed),
        `${query} leaves out items`,
      );
    },
  );
  await fc.assert(walked, { numRuns: runs(20), endOnFailure: true });
});

/**
 * Adds items with `img` in their filename. Every second one has `even` in its description, and every seventh in its
 * filename, which scores higher.
 */
const insertMany = async (userId: string, from: number, to: number) => {
  await sql`
    insert into media_items (id, user_id, checksum, filename, description, mime_type, size_bytes, type, taken_at, local_time)
    select gen_random_uuid(), ${userId}, sha256((random()::text || n)::bytea), case when n % 7 = 0 then 'even-' else '' end || 'img_' || n || '.jpg',
      case when n % 2 = 0 then 'even' end, 'image/jpeg', 1, 'PHOTO', now(), timestamp '2020-01-01' - n * interval '1 hour'
    from generate_series(${from}::int, ${to}::int) as n`.execute(db);
};

for (const [count, about] of [
  [995, 'few results that become many'],
  [2_500, 'many results'],
] as const) {
  test(`a walk through ${about} returns each item once while newer ones are added and others removed`, async () => {
    const { id: userId } = await buildUser(db);
    await insertMany(userId, 1, count);
    for (const [query, filters] of [
      ['img', {}],
      ['img even', {}],
      ['', { type: 'PHOTO' }],
      ['fotos even', { favourite: false, from: '2019-01-01' }],
    ] as const) {
      const before = await findAll(userId, query, filters);
      assert.deepEqual(await walk(userId, query, 97, async () => undefined, filters), before, `${query} at rest`);
      const gone = new Set<string>();
      let page = 0;
      const change = async () => {
        page += 1;
        await insertMany(userId, -30 * page, -30 * page + 20);
        const ids = [before[(page * 131) % before.length]!, before[page]!];
        for (const id of ids) gone.add(id);
        await db
          .deleteFrom('media_items')
          .where(sql<boolean>`id = any(${ids}::uuid[])`)
          .execute();
      };
      const found = await walk(userId, query, 97, change, filters);
      assert.equal(new Set(found).size, found.length, `${query} repeats items`);
      const stayed = before.filter((id) => !gone.has(id));
      assert.deepEqual(
        found.filter((id) => stayed.includes(id)),
        stayed,
        `${query} leaves out items`,
      );
    }
  });
}
