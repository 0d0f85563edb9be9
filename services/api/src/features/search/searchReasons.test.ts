import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SearchFilters } from '@hearth/contract/searchFilters.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { buildSearchLibrary } from '@hearth/testkit/libraries/searchLibrary.ts';
import { searchByText, type SearchOptions } from './queries.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const { id: userId } = await buildUser(db);

const sylt = { countryCode: 'DE', country: 'Germany', state: 'Schleswig-Holstein', town: 'Westerland' };
const long = `${'Before it there is a lot of text that nobody looks for. '.repeat(4)}Then the lighthouse stands there, and behind it is more of this. ${'And so on. '.repeat(20)}`;
const ids = await buildSearchLibrary(db, userId, {
  swim: {
    taken: '2019-07-12',
    filename: 'PXL_20190712_101112.jpg',
    place: sylt,
    things: ['Beach'],
    people: ['Anna Lindqvist', 'Max', '!Ghost'],
    albums: ['Summer of Anna', '!Secret'],
    camera: ['Canon', 'Canon EOS R6'],
    text: 'Kiosk\nBARREL AGED beer\nCafé Flore',
    description: 'Große Wellen,\nkaltes Wasser',
    state: { is_favourite: true },
  },
  film: { taken: '2020-01-01', filename: 'anna.mp4', albums: ['Videos'], state: { type: 'VIDEO', category: 'SLOW' } },
  album: { taken: '2020-01-02', filename: 'beach.jpg', albums: ['Videos'], description: long },
});
const people = await db.selectFrom('people').select(['id', 'name']).where('user_id', '=', userId).execute();
const idOf = (name: string) => people.find((person) => person.name === name)!.id;

/** Reasons of an item as text: words, kind, value and days. */
const reasonsOf = async (key: string, query: string, options: SearchOptions = {}): Promise<string[]> => {
  const page = { limit: 100, start: { number: 1 } };
  const { reasons, entries } = await searchByText(db, { userId, features: {} }, query, page, options);
  assert.deepEqual(new Set(reasons.keys()), new Set(entries.map(({ id }) => id)));
  return reasons
    .get(ids.get(key)!)!
    .map(({ kind, words, value, span }) =>
      [words.join('+'), kind, value, span && `${span.from}–${span.until}`]
        .filter((part) => part !== undefined && part !== '')
        .join(' '),
    );
};

const cases: readonly (readonly [key: string, query: string, ...expected: readonly string[]])[] = [
  ['swim', 'anna', 'anna album Summer of Anna', 'anna person Anna Lindqvist'],
  ['swim', 'anna lindqvist', 'anna+lindqvist person Anna Lindqvist', 'anna album Summer of Anna'],
  ['swim', 'westerland', 'westerland place Westerland'],
  ['swim', 'germany', 'germany place Westerland, Germany'],
  ['swim', 'beach', 'beach thing Beach'],
  ['swim', 'baech', 'baech thing Beach'],
  ['swim', 'canon', 'canon camera Canon EOS R6'],
  ['swim', 'pxl', 'pxl filename PXL_20190712_101112.jpg'],
  ['swim', 'PXL_20190712_10', 'pxl+20190712+10 filename PXL_20190712_101112.jpg'],
  ['swim', 'barrel beer', 'barrel+beer text BARREL AGED beer'],
  ['swim', 'flore', 'flore text Café Flore'],
  ['swim', 'barrelaged', 'barrelaged text BARREL AGED beer'],
  ['swim', 'grosse', 'grosse description Große Wellen,'],
  ['swim', 'july 2019', 'july+2019 date july 2019 2019-07-01T00:00:00–2019-08-01T00:00:00'],
  ['swim', 'july', 'july date july 2019-07-01T00:00:00–2019-08-01T00:00:00'],
  ['swim', 'favoriten fotos', 'favoriten favourite', 'fotos type PHOTO'],
  ['film', 'videos', 'videos album Videos', 'videos type VIDEO'],
  ['album', 'videos', 'videos album Videos'],
  [
    'film',
    'videos von anna 2020',
    'videos album Videos',
    'videos type VIDEO',
    'anna filename anna.mp4',
    '2020 date 2020 2020-01-01T00:00:00–2021-01-01T00:00:00',
  ],
  ['film', 'zeitlupe', 'zeitlupe category SLOW'],
];

for (const [key, query, ...expected] of cases)
  test(`"${query}" finds ${key} by ${expected.join(', ')}`, async () => {
    assert.deepEqual((await reasonsOf(key, query)).toSorted(), expected.toSorted());
  });

test('reports filters as reasons', async () => {
  const filters: SearchFilters = {
    people: [idOf('Anna Lindqvist'), idOf('Max')],
    type: 'PHOTO',
    favourite: true,
    camera: 'canon r6',
    from: '2019-01-01',
    to: '2019-12-31',
  };
  assert.deepEqual(
    (await reasonsOf('swim', '', { filters })).toSorted(),
    [
      'camera Canon EOS R6',
      'date 2019-01-01T00:00:00–2020-01-01T00:00:00',
      'favourite',
      'person Anna Lindqvist',
      'person Max',
      'type PHOTO',
    ].toSorted(),
  );
});

test('reports the days of last summer', async () => {
  const [reason] = await reasonsOf('swim', 'last summer', { today: '2020-03-01' });
  assert.equal(reason, 'last+summer date last summer 2019-06-01T00:00:00–2019-09-01T00:00:00');
});

test('shortens a long line to the text around the word', async () => {
  const [reason = ''] = await reasonsOf('album', 'lighthouse');
  assert.match(reason, /^lighthouse description ….*Then the lighthouse stands there.*…$/);
  assert(reason.length < 160, reason);
});

test('reports nothing hidden as a reason', async () => {
  assert.deepEqual(
    await searchByText(db, { userId, features: {} }, 'ghost', { limit: 5, start: { number: 1 } }).then(
      ({ reasons }) => reasons.size,
    ),
    0,
  );
  assert(!JSON.stringify(await reasonsOf('swim', 'anna max')).includes('Secret'));
});
