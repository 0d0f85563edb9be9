import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { buildSearchLibrary, type SearchedItem } from '@hearth/testkit/libraries/searchLibrary.ts';
import { rollUpCounts } from '../../lists/counts.ts';
import { suggestSearches } from './suggestSearches.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const { id: userId } = await buildUser(db);

const place = (town: string) => ({ countryCode: 'US', country: 'United States', town });
const library: Readonly<Record<string, SearchedItem>> = {
  one: {
    taken: '2019-06-01',
    place: place('York'),
    people: ['Anna Yorick', '!Yoda'],
    camera: ['Canon', 'Canon EOS R6'],
  },
  two: { taken: '2019-06-02', place: place('New York'), things: ['Yoga'], camera: ['Canon', 'Canon EOS R6'] },
  three: {
    taken: '2019-07-01',
    place: place('New York'),
    albums: ['Zoë’s yard', '!Yes'],
    camera: ['SONY', 'ILCE-7M3'],
  },
  four: {
    taken: '2020-01-01',
    place: place('New York'),
    things: ['Yoga'],
    camera: ['Canon', 'EOS 5D'],
    people: ['Anna Berg'],
  },
  gone: { taken: '2021-06-01', place: place('Yonkers'), camera: ['Yashica', 'T4'], state: { deleted_at: new Date() } },
};
await buildSearchLibrary(db, userId, library);
const { id: otherId } = await buildUser(db);
await buildSearchLibrary(db, otherId, {
  theirs: { taken: '2018-06-01', place: place('Youghal'), people: ['Yves'], camera: ['Yi', '4K'] },
});

const suggest = async (typed: string, { limit = 8, features = {}, owner = userId } = {}): Promise<string[]> =>
  (await suggestSearches(db, { userId: owner, features }, typed, limit)).map(
    ({ kind, value, count }) => `${kind} ${value} ${count}`,
  );

const cases: Readonly<Record<string, readonly string[]>> = {
  // Names that start with the text come first, each group by number of items.
  yo: ['thing Yoga 2', 'place York 1', 'place New York 3', 'person Anna Yorick 1'],
  york: ['place York 1', 'place New York 3'],
  'new yo': ['place New York 3'],
  'york new': ['place New York 3'],
  'york old': [],
  'NEW  Yórk': ['place New York 3'],
  zoe: ['album Zoë’s yard 1'],
  yard: ['album Zoë’s yard 1'],
  anna: ['person Anna Berg 1', 'person Anna Yorick 1'],
  canon: ['camera Canon EOS R6 2', 'camera Canon EOS 5D 1'],
  eos: ['camera Canon EOS R6 2', 'camera Canon EOS 5D 1'],
  'canon 5': ['camera Canon EOS 5D 1'],
  ilc: ['camera SONY ILCE-7M3 1'],
  2019: ['date 2019 3', 'date 2019-07 1', 'date 2019-06 2'],
  20: ['date 2020 1', 'date 2019 3'],
  ju: ['date 2019-07 1', 'date 2019-06 2'],
  'juni 2019': ['date 2019-06 2'],
  '06.2019': ['date 2019-06 2'],
  '2019 jul': ['date 2019-07 1'],
  'june 2021': [],
  yas: [],
  yod: [],
  yes: [],
  ork: [],
  'june 2019 2020': [],
  '!': [],
};

for (const [typed, expected] of Object.entries(cases))
  test(`"${typed}" suggests ${expected.join(', ') || 'nothing'}`, async () => {
    assert.deepEqual(await suggest(typed), expected);
  });

test('suggests nothing from features that are off', async () => {
  const features = { people: false, places: false };
  assert.deepEqual(await suggest('yo', { features }), ['thing Yoga 2']);
  assert.deepEqual(await suggest('y', { features: { things: false, albums: false, people: false } }), [
    'place York 1',
    'place New York 3',
  ]);
});

test('limits the suggestions, and suggests nothing of other users', async () => {
  assert.deepEqual(await suggest('yo', { limit: 2 }), ['thing Yoga 2', 'place York 1']);
  assert.deepEqual(await suggest('y', { owner: otherId }), ['camera Yi 4K 1', 'place Youghal 1', 'person Yves 1']);
});

test('counts are the same after a roll-up', async () => {
  const before = await suggest('yo');
  while ((await rollUpCounts(db, 1_000)) > 0);
  assert.deepEqual(await suggest('yo'), before);
});
