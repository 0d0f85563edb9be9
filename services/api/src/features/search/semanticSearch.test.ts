import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { sql } from 'kysely';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { buildSearchLibrary, type SearchedItem } from '@hearth/testkit/libraries/searchLibrary.ts';
import type { PageOf } from '../../database/pages.ts';
import { selectIds } from '../../semantic/candidates.ts';
import { searchByText, type SearchOptions, type SearchPosition } from './queries.ts';
import type { RankSemantically } from './semanticSearch.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

const orange = { countryCode: 'FR', country: 'France', town: 'Orange' };

/** The axes of the embedding space: a picture is a direction between the things it shows. */
const axes = ['sunset', 'beach', 'dog', 'cake', 'snow'];
const vectorOf = (words: string): number[] => {
  const sums = axes.map((axis) => words.split(' ').filter((word) => word === axis).length);
  const length = Math.hypot(...sums);
  return sums.map((sum) => (length === 0 ? 0 : sum / length));
};

await sql`create table test_vectors (media_item_id uuid primary key, vector float8[] not null)`.execute(db);

/** Ranks a user's items by cosine with vectors in a table. Knows only words of the axes. */
const rankOf =
  (owner: string): RankSemantically =>
  async (words, { limit, among }) => {
    const vector = vectorOf(words);
    if (vector.every((value) => value === 0)) return [];
    const { rows } = await sql<{ id: string; likeness: number }>`
    select media_item_id as id, likeness from test_vectors
    join media_items on media_items.id = media_item_id and user_id = ${owner}
    cross join lateral (select sum(one * other) as likeness from unnest(vector, ${vector}::float8[]) as pair (one, other)) as compared
    where likeness > 0.3 and ${among === undefined ? sql`true` : sql`media_item_id in (${selectIds(among)})`}
    order by 2 desc, 1 limit ${limit}`.execute(db);
    return rows;
  };

/** Adds items, with the vectors of what their pictures show. */
const build = async (userId: string, items: Readonly<Record<string, SearchedItem & { readonly shows: string }>>) => {
  const ids = await buildSearchLibrary(db, userId, items);
  for (const [key, { shows }] of Object.entries(items)) {
    await sql`insert into test_vectors values (${ids.get(key)}, ${vectorOf(shows)}::float8[])`.execute(db);
  }
  return ids;
};

const { id: userId } = await buildUser(db);
const ids = await build(userId, {
  annaSunset: { taken: '2026-07-01', people: ['Anna'], shows: 'sunset beach' },
  annaBeach: { taken: '2026-07-02', people: ['Anna'], things: ['Beach'], shows: 'beach' },
  annaBefore: { taken: '2025-07-02', people: ['Anna'], shows: 'sunset beach' },
  annaSnow: { taken: '2026-08-01', people: ['Anna'], shows: 'snow' },
  maxSunset: { taken: '2026-07-03', people: ['Max'], shows: 'sunset beach' },
  sunset: { taken: '2026-07-04', shows: 'sunset' },
  called: { taken: '2020-01-01', description: 'sunset', shows: 'cake' },
  both: { taken: '2019-01-01', description: 'sunset', shows: 'sunset dog' },
  dogFilm: { taken: '2018-01-01', shows: 'dog', state: { type: 'VIDEO' } },
  hidden: { taken: '2026-07-05', people: ['Anna'], shows: 'sunset beach', state: { is_hidden: true } },
});
const { id: otherId } = await buildUser(db);
await build(otherId, { theirs: { taken: '2026-07-01', people: ['Anna'], shows: 'sunset beach' } });
const keys = new Map([...ids].map(([key, id]) => [id, key]));

const search = async (query: string, options: SearchOptions = {}) => {
  const page = { limit: 100, start: { number: 1 } };
  const found = await searchByText(db, { userId, features: {} }, query, page, {
    rankSemantically: rankOf(userId),
    today: '2026-11-25',
    ...options,
  });
  return { ...found, keys: found.entries.map(({ id }) => keys.get(id) ?? id) };
};

const { id: strollerId } = await buildUser(db);
const strolled = await build(strollerId, {
  dogInOrange: { taken: '2020-01-01', place: orange, shows: 'dog' },
  dog: { taken: '2021-01-01', shows: 'dog' },
  dogOfRose: { taken: '2019-01-01', people: ['Rose'], shows: 'dog' },
  dogOfMax: { taken: '2018-01-01', people: ['Max'], shows: 'dog' },
  snowInOrange: { taken: '2022-01-01', place: orange, shows: 'snow' },
  live: { taken: '2017-01-01', shows: 'cake dog', state: { category: 'LIVE' } },
  numbered: { taken: '2016-01-01', filename: 'x 3.jpg', shows: 'snow' },
});
const strollerKeys = new Map([...strolled].map(([key, id]) => [id, key]));

const cases: Readonly<Record<string, string>> = {
  'anna beach sunset last summer': 'annaSunset annaBeach',
  'sunset of anna': 'annaSunset annaBefore',
  'anna snow': 'annaSnow',
  'anna snow 2025': '',
  'max sunset': 'maxSunset',
  // By words and meaning first, then by either alone.
  sunset: 'both called sunset maxSunset annaSunset annaBefore',
  'videos dog': 'dogFilm',
  dog: 'dogFilm both',
  anna: 'annaSnow annaBeach annaSunset annaBefore',
  zeppelin: '',
  'anna zeppelin': '',
  // Numbers match literally or not at all.
  'sunset 4711': '',
  20190403123456: '',
};

for (const [query, expected] of Object.entries(cases))
  test(`"${query}" finds ${expected || 'nothing'}`, async () => {
    assert.deepEqual((await search(query)).keys, expected === '' ? [] : expected.split(' '));
  });

/** Items with a possible name come first. A word that can only be a name is required. */
const names: Readonly<Record<string, string>> = {
  'orange dog': 'dogInOrange dog dogOfRose dogOfMax live',
  'dog in orange': 'dogInOrange',
  'dog in the orange': 'dogInOrange',
  // The second `in` counts, too.
  'in snow in orange': 'snowInOrange',
  'live dog': 'live dog dogInOrange dogOfRose dogOfMax',
  'rose dog': 'dogOfRose dog dogInOrange dogOfMax live',
  'dog of rose': 'dogOfRose',
  'max dog': 'dogOfMax',
  'max orange dog': 'dogOfMax',
  '3 dog': 'dog dogInOrange dogOfRose dogOfMax live',
  '300 dog': '',
  'orange dog 2021': 'dog',
  orange: 'snowInOrange dogInOrange',
};

for (const [query, expected] of Object.entries(names))
  test(`"${query}", with names that are also words, finds ${expected || 'nothing'}`, async () => {
    const found = await searchByText(
      db,
      { userId: strollerId, features: {} },
      query,
      { limit: 100, start: { number: 1 } },
      { rankSemantically: rankOf(strollerId) },
    );
    assert.equal(found.entries.map(({ id }) => strollerKeys.get(id)).join(' '), expected);
  });

test('applies filters to semantic results', async () => {
  assert.deepEqual((await search('dog', { filters: { type: 'PHOTO' } })).keys, ['both']);
  assert.deepEqual((await search('sunset', { filters: { from: '2026-07-04' } })).keys, ['sunset']);
  assert.deepEqual((await search('sunset', { filters: { people: [randomUUID()] } })).keys, []);
});

/** Returns whether semantic ranking was used, and the results. */
const searchForKeys = async (query: string, options?: SearchOptions) => {
  const { isSemantic, keys: found } = await search(query, options);
  return [isSemantic, ...found];
};

test('reports whether semantic ranking was used, and finds matches by words without it', async () => {
  const unavailable = { rankSemantically: async () => undefined };
  assert.deepEqual(await searchForKeys('sunset', unavailable), [false, 'called', 'both']);
  assert.deepEqual(await searchForKeys('sunset', { rankSemantically: undefined }), [false, 'called', 'both']);
  assert.deepEqual(await searchForKeys('cake beach', unavailable), [false]);
  assert.deepEqual((await searchForKeys('anna')).slice(0, 1), [false], 'no word is left for semantic ranking');
  assert.deepEqual((await searchForKeys('sunset')).slice(0, 2), [true, 'both']);
});

test('reports semantic matches with their words as reasons', async () => {
  const { reasons } = await search('anna beach sunset last summer');
  const found = reasons.get(ids.get('annaSunset')!)!.map(({ kind, words }) => `${kind} ${words.join(' ')}`);
  assert.deepEqual(found, ['person anna', 'date last summer', 'meaning beach sunset']);
});

const anyItem = fc.record({
  taken: fc.constantFrom('2019-06-01', '2019-07-01', '2020-06-01'),
  filename: fc.constantFrom('beach.jpg', 'dog.jpg', 'a.jpg'),
  description: fc.constantFrom('sunset', 'beach dog', 'plain'),
  people: fc.uniqueArray(fc.constantFrom('Anna'), { maxLength: 1 }),
  place: fc.constantFrom(orange, { countryCode: 'FR', country: 'France', town: 'Nice' }),
  shows: fc.array(fc.constantFrom(...axes), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
});

test('a walk through results by words and meaning returns each item once while items are added and removed', async () => {
  const property = fc.asyncProperty(
    fc.array(anyItem, { minLength: 20, maxLength: 40 }),
    fc.array(fc.record({ added: fc.array(anyItem, { maxLength: 3 }), removed: fc.nat() }), {
      minLength: 6,
      maxLength: 6,
    }),
    fc.constantFrom('beach', 'dog beach', 'sunset', 'anna beach', 'beach 2019', 'orange dog june'),
    fc.integer({ min: 1, max: 5 }),
    async (items, changes, query, limit) => {
      const { id: owner } = await buildUser(db);
      const add = async (added: typeof items) =>
        build(owner, Object.fromEntries(added.map((item) => [randomUUID(), item])));
      await add(items);
      const page = async (start: PageOf<SearchPosition>['start'], size = limit) =>
        searchByText(
          db,
          { userId: owner, features: {} },
          query,
          { limit: size, start },
          { rankSemantically: rankOf(owner) },
        );
      const walk = async (change: () => Promise<void>): Promise<string[]> => {
        const walked: string[] = [];
        let start: PageOf<SearchPosition>['start'] | undefined = { number: 1 };
        while (start !== undefined) {
          const { entries, next } = await page(start);
          walked.push(...entries.map(({ id }) => id));
          // As stored in a cursor.
          start = next && { after: JSON.parse(JSON.stringify(next)) as SearchPosition };
          if (start !== undefined) await change();
        }
        return walked;
      };
      const before = (await page({ number: 1 }, 200)).entries.map(({ id }) => id);
      assert.deepEqual(await walk(async () => undefined), before, `${query} at rest`);
      const gone = new Set<string>();
      let nth = 0;
      const found = await walk(async () => {
        const { added, removed } = changes[nth++ % changes.length]!;
        if (nth <= changes.length) await add(added);
        const id = before[removed % before.length];
        if (id === undefined || nth % 2 === 0) return;
        gone.add(id);
        await db.updateTable('media_items').set({ deleted_at: new Date() }).where('id', '=', id).execute();
      });
      assert.equal(new Set(found).size, found.length, `${query} repeats items`);
      const stayed = before.filter((id) => !gone.has(id));
      assert.deepEqual(
        new Set(found.filter((id) => stayed.includes(id))),
        new Set(stayed),
        `${query} leaves out items`,
      );
    },
  );
  await fc.assert(property, { numRuns: runs(15), endOnFailure: true });
});

test('finds the best matches among many items with a required name, and the best overall among very many', async () => {
  const { id: owner } = await buildUser(db);
  // 6,000 items, all but six of them favourites, every twentieth with some sunset. 1,500 older items show only sunset.
  await sql`
    with numbered as materialized (select n, gen_random_uuid() as id from generate_series(1, 7500) as n), made as (
      insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time, is_favourite)
      select id, ${owner}, sha256(n::text::bytea), 'a.jpg', 'image/jpeg', 1, 'PHOTO', now(), timestamp '2020-01-01' - n * interval '1 hour',
        n <= 6000 and n % 1000 <> 7 from numbered
    )
    insert into test_vectors
    select id, (case when n > 6000 then '{1,0,0,0,0}' when n % 20 = 0 then '{0.6,0.8,0,0,0}' else '{0,1,0,0,0}' end)::float8[] from numbered`.execute(
    db,
  );
  const zoe = randomUUID();
  await sql`insert into people (id, user_id, name) values (${zoe}, ${owner}, 'Zoe')`.execute(db);
  await sql`
    insert into collection_items (collection_id, media_item_id, local_time, visibility)
    select ${zoe}, id, local_time, visibility from media_items where user_id = ${owner}`.execute(db);
  // Simulates that Zoe appears on very many pictures, by a higher stored count.
  await sql`update collections set item_count = 30000 where id = ${zoe}`.execute(db);
  const candidateSets: string[] = [];
  const rank: RankSemantically = async (words, options) => {
    const { among } = options;
    candidateSets.push(among === undefined ? 'all' : 'length' in among ? 'ids' : 'SQL');
    return rankOf(owner)(words, options);
  };
  const find = async (query: string, filters = {}) => {
    const page = { limit: 200, start: { number: 1 } } as const;
    const options = { rankSemantically: rank, filters };
    const { entries } = await searchByText(db, { userId: owner, features: {} }, query, page, options);
    return `${entries.length}, ${entries.filter(({ is_favourite: isFavourite }) => isFavourite).length} favourites`;
  };
  const found = [
    await find('sunset favourites'),
    await find('sunset', { from: '2019-05-01' }),
    await find('sunset', { favourite: true, people: [zoe] }),
    await find('beach', { favourite: false }),
    await find('sunset', { people: [zoe] }),
  ];
  const some = '200, 200 favourites';
  assert.deepEqual(found, [some, some, some, '6, 0 favourites', '200, 0 favourites']);
  assert.deepEqual(candidateSets, ['SQL', 'SQL', 'SQL', 'ids', 'all']);
});
