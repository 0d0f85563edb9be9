import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import type { SearchFilters } from '@hearth/contract/searchFilters.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { buildSearchLibrary, type SearchedItem } from '@hearth/testkit/libraries/searchLibrary.ts';
import { searchByText, type SearchOptions } from '../queries.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

const search = async (userId: string, query: string, options: SearchOptions, features = {}): Promise<string[]> => {
  const page = { limit: 100, start: { number: 1 } };
  return (await searchByText(db, { userId, features }, query, page, options)).entries.map(({ id }) => id);
};

/** Ids of a user's collections by name. */
const getCollections = async (userId: string): Promise<Record<string, string>> => {
  const tables = ['people', 'things', 'albums', 'places'] as const;
  const rows = await Promise.all(
    tables.map((table) => db.selectFrom(table).select(['id', 'name']).where('user_id', '=', userId).execute()),
  );
  return Object.fromEntries(rows.flat().map(({ id, name }) => [name ?? '', id]));
};

interface Filtered extends SearchedItem {
  readonly type: 'PHOTO' | 'VIDEO';
  readonly category: 'DEFAULT' | 'SCREENSHOT';
  readonly isFavourite: boolean;
}

const places = {
  Rome: { countryCode: 'IT', country: 'Italy', town: 'Rome' },
  Lyon: { countryCode: 'FR', country: 'France', town: 'Lyon' },
} as const;
const cameras = [['Canon', 'EOS R6'], ['Canon', 'EOS 5D'], ['SONY', 'ILCE-7M3'], undefined] as const;
const many = (...names: readonly string[]) => fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 });
const anyItem = fc.record<Filtered>({
  taken: fc.constantFrom('2019-06-01', '2019-06-30T23:59:59', '2019-07-01T00:00:00', '2020-06-15', '2021-01-01'),
  filename: fc.constantFrom('beach.jpg', 'boat.jpg', 'IMG_20190601_101112.jpg'),
  // Otherwise "favourite" would match "favourites" as a typo if no item is a favourite.
  description: fc.constantFrom('beach', 'a boat', 'favourites, videos'),
  things: many('Dog', 'Cake'),
  people: many('Anna', 'Max'),
  albums: many('Summer', 'Videos'),
  place: fc.constantFrom(...Object.values(places)),
  camera: fc.constantFrom(...cameras).map((camera) => camera ?? (['', ''] as const)),
  type: fc.constantFrom('PHOTO', 'VIDEO'),
  category: fc.constantFrom('DEFAULT', 'SCREENSHOT'),
  isFavourite: fc.boolean(),
});
const allFilters = fc.record({
  people: many('Anna', 'Max', 'Nobody').filter((names) => names.length > 0),
  things: many('Dog', 'Cake').filter((names) => names.length > 0),
  places: many('Rome', 'Lyon', 'Nowhere').filter((names) => names.length > 0),
  albums: many('Summer', 'Videos').filter((names) => names.length > 0),
  type: fc.constantFrom('PHOTO' as const, 'VIDEO' as const),
  category: fc.constantFrom('DEFAULT' as const, 'SCREENSHOT' as const),
  favourite: fc.boolean(),
  camera: fc.constantFrom('canon', 'Canon EOS R6', 'sony ILCE-7M3', 'r6', 'Leica', '!'),
  from: fc.constantFrom('2019-06-01', '2019-06-30', '2019-07-01', '2020-01-01'),
  to: fc.constantFrom('2019-06-01', '2019-06-30', '2020-12-31'),
});
/** At most three filters, so that searches find something. */
const anyFilters: fc.Arbitrary<Partial<typeof allFilters extends fc.Arbitrary<infer Value> ? Value : never>> =
  allFilters.chain((filters) =>
    fc.subarray(Object.entries(filters), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  );
const queries = [
  '',
  '',
  'beach',
  'videos',
  'favourites',
  'videos boat',
  'fotos von anna',
  'beach 2019',
  'june',
  'screenshots',
  'IMG_20190601_1',
];

const toWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** Returns true if an item passes the filters, in the simplest possible way. */
const passesFilters = (item: Filtered, filters: SearchFilters): boolean => {
  const day = item.taken.slice(0, 10);
  const { people, things, albums, type, category, favourite, camera, from, to } = filters;
  const cameraWords = toWords((item.camera ?? []).join(' '));
  const wantedCameraWords = camera === undefined ? undefined : toWords(camera);
  return (
    (people ?? []).every((name) => item.people?.includes(name)) &&
    (things ?? []).every((name) => item.things?.includes(name)) &&
    (albums?.some((name) => item.albums?.includes(name)) ?? true) &&
    (filters.places?.includes(item.place?.town ?? '') ?? true) &&
    (type ?? item.type) === item.type &&
    (category ?? item.category) === item.category &&
    (favourite ?? item.isFavourite) === item.isFavourite &&
    (wantedCameraWords === undefined ||
      (wantedCameraWords.length > 0 && wantedCameraWords.every((word) => cameraWords.includes(word)))) &&
    (from ?? day) <= day &&
    day <= (to ?? day)
  );
};

/** Returns true if every word of a query is in an item or names one of its properties. */
const matchesQuery = (item: Filtered, query: string): boolean => {
  const itemWords = new Set(
    toWords(
      [item.filename, item.description, ...(item.things ?? []), ...(item.people ?? []), ...(item.albums ?? [])].join(
        ' ',
      ),
    ),
  );
  const propertyMatches: Record<string, boolean> = {
    videos: item.type === 'VIDEO',
    fotos: item.type === 'PHOTO',
    favourites: item.isFavourite,
    screenshots: item.category === 'SCREENSHOT',
    june: item.taken.slice(5, 7) === '06',
    2019: item.taken.startsWith('2019'),
    von: true,
  };
  if (query === 'IMG_20190601_1') return item.filename?.startsWith(query) === true;
  return toWords(query).every((word) => itemWords.has(word) || propertyMatches[word] === true);
};

test('finds exactly the items that match the filters and words; sorts by date if there is no query', async () => {
  let total = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyItem, { minLength: 4, maxLength: 12 }),
      fc.array(fc.tuple(anyFilters, fc.constantFrom(...queries)), { minLength: 12, maxLength: 12 }),
      async (items, searches) => {
        const { id: userId } = await buildUser(db);
        const library = items.map((item): SearchedItem => ({
          ...item,
          state: { type: item.type, category: item.category, is_favourite: item.isFavourite },
        }));
        const ids = [...(await buildSearchLibrary(db, userId, Object.fromEntries(library.entries()))).values()];
        const collections = await getCollections(userId);
        const toIds = (names: readonly string[] | undefined) => names?.map((name) => collections[name] ?? randomUUID());
        for (const [filters, query] of searches) {
          const named = {
            ...filters,
            people: toIds(filters.people),
            things: toIds(filters.things),
            places: toIds(filters.places),
            albums: toIds(filters.albums),
          };
          const isFiltered = Object.keys(filters).length > 0;
          const expected = ids.filter(
            (_, index) =>
              (isFiltered || query !== '') &&
              passesFilters(items[index]!, filters) &&
              matchesQuery(items[index]!, query),
          );
          const found = await search(userId, query, { filters: named });
          const message = JSON.stringify([filters, query]);
          assert.deepEqual(found.toSorted(), expected.toSorted(), message);
          total += found.length;
          const times = found.map((id) => items[ids.indexOf(id)]!.taken);
          if (query === '')
            assert.deepEqual(
              times.map((time) => time.padEnd(19, 'T12:00:00')),
              times
                .map((time) => time.padEnd(19, 'T12:00:00'))
                .toSorted()
                .toReversed(),
              message,
            );
        }
      },
    ),
    { numRuns: runs(15), endOnFailure: true },
  );
  assert(total > runs(100), `${total} items were found in all`);
});

test('ids of other users, other kinds and switched-off features find nothing', async () => {
  const [{ id: mine }, { id: other }] = [await buildUser(db), await buildUser(db)];
  const library = {
    one: {
      taken: '2020-01-01',
      people: ['Anna', '!Ghost'],
      albums: ['Lake', '!Secret'],
      things: ['Dog'],
      place: places.Rome,
    },
  };
  await buildSearchLibrary(db, mine, library);
  await buildSearchLibrary(db, other, library);
  const [ours, theirs] = [await getCollections(mine), await getCollections(other)];
  const countMatches = (filters: SearchFilters, features = {}) =>
    search(mine, '', { filters }, features).then(({ length }) => length);
  for (const [name, key] of [
    ['people', 'Anna'],
    ['albums', 'Lake'],
    ['things', 'Dog'],
    ['places', 'Rome'],
    ['people', 'Ghost'],
    ['albums', 'Secret'],
  ] as const) {
    assert.equal(await countMatches({ [name]: [ours[key]!] }), 1, key);
    assert.equal(await countMatches({ [name]: [ours[key]!] }, { [name]: false }), 0, `${key}, switched off`);
    assert.equal(await countMatches({ [name]: [theirs[key]!] }), 0, `their ${key}`);
    assert.equal(
      await countMatches({ [name === 'people' ? 'albums' : 'people']: [ours[key]!] }),
      0,
      `${key}, as another kind`,
    );
  }
  assert.equal(await search(mine, 'favourites', {}, { favourites: false }).then(({ length }) => length), 0);
});
