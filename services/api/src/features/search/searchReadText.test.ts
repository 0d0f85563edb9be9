import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { buildSearchLibrary } from '@hearth/testkit/libraries/searchLibrary.ts';
import { searchByText } from './queries.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const { id: userId } = await buildUser(db);

/** Text as models recognize it: spaces are missing or extra, and ß is read as B. */
const read = {
  can: 'CRAFTBEER\nWEEKENDWARRIOR',
  shop: 'Craft beer shop',
  sign: 'HauptstraBe 12',
  menu: 'Cafe de Flore\nCroissants au beurre',
  door: 'Not ausgang',
  bottle: '纯臻营养护发素',
};
const ids = await buildSearchLibrary(
  db,
  userId,
  Object.fromEntries(Object.entries(read).map(([key, text]) => [key, { taken: '2020-01-01', text }])),
);
const keys = new Map([...ids].map(([key, id]) => [id, key]));

const cases: Readonly<Record<string, string>> = {
  'craft beer': 'can shop',
  craftbeer: 'can shop',
  'Weekend Warrior': 'can',
  weekendwarrior: 'can',
  'warrior weekend': '',
  'beer shop': 'shop',
  beershop: 'shop',
  'craft shop': 'shop',
  'beer weekend': '',
  Hauptstraße: 'sign',
  HAUPTSTRASSE: 'sign',
  'hauptstrasse 12': 'sign',
  'Café de Flore': 'menu',
  cafedeflore: '',
  'floré croissants': 'menu',
  florecroissants: '',
  Notausgang: 'door',
  营养: 'bottle',
};

for (const [query, expected] of Object.entries(cases))
  test(`“${query}” finds ${expected === '' ? 'nothing' : expected}`, async () => {
    const { entries } = await searchByText(db, { userId, features: {} }, query, { limit: 50, start: { number: 1 } });
    assert.equal(
      entries
        .map(({ id }) => keys.get(id)!)
        .toSorted((a, b) => a.localeCompare(b))
        .join(' '),
      expected,
    );
  });

test('finds a description by its words exactly as written', async () => {
  await buildSearchLibrary(db, userId, { described: { taken: '2020-01-02', description: 'sugar cane' } });
  const { entries } = await searchByText(db, { userId, features: {} }, 'sugarcane', {
    limit: 50,
    start: { number: 1 },
  });
  assert.deepEqual(entries, []);
});

test('finds only the first hundred pairs of adjacent words of a full page as one word', async () => {
  // With digits, so that no word matches another as a typo.
  const words = Array.from({ length: 300 }, (_, n) => `k${1_000 + n}k`);
  await buildSearchLibrary(db, userId, { page: { taken: '2020-01-03', text: words.join(' ') } });
  const isFound = async (query: string): Promise<boolean> =>
    (await searchByText(db, { userId, features: {} }, query, { limit: 1, start: { number: 1 } })).entries.length > 0;
  assert.deepEqual(
    [await isFound(words[99]! + words[100]!), await isFound(words[200]! + words[201]!), await isFound(words[201]!)],
    [true, false, true],
  );
});
