import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { buildSearchLibrary } from '@hearth/testkit/libraries/searchLibrary.ts';
import { searchByText } from './queries.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const { id: userId } = await buildUser(db);

const rome = { countryCode: 'IT', country: 'Italy', state: 'Lazio', city: 'Rome', town: 'Trastevere' };
const lodz = { countryCode: 'PL', country: 'Poland', state: 'Łódź Voivodeship', city: 'Łódź' };
const paris = { countryCode: 'FR', country: 'France', state: 'Île-de-France', city: 'Paris' };
const sylt = { countryCode: 'DE', country: 'Germany', state: 'Schleswig-Holstein', town: 'Westerland' };
const canon = ['Canon', 'Canon EOS 5D Mark III'] as const;
const phone = ['Apple', 'iPhone 14 Pro'] as const;

const ids = await buildSearchLibrary(db, userId, {
  forum: { taken: '2019-05-02', filename: 'IMG_4711.JPG', place: rome, camera: canon, albums: ['Italy 2019'] },
  pizza: { taken: '2019-05-03', filename: 'IMG_4712.JPG', place: rome, things: ['Pizza'], camera: phone },
  lodz: { taken: '2020-01-15', filename: 'DSC01234.ARW', place: lodz, camera: ['SONY', 'ILCE-7M3'] },
  eiffel: {
    taken: '2021-08-20',
    filename: 'PXL_20210820_101112.jpg',
    place: paris,
    description: 'La tour Eiffel, très belle',
  },
  menu: {
    taken: '2021-08-21',
    filename: 'scan.png',
    place: paris,
    text: 'Café de Flore\nCroissant 3,50 €\nPizza 12 €',
  },
  dunes: {
    taken: '2018-07-10',
    filename: 'VID_0007.mp4',
    place: sylt,
    things: ['Beach', 'Dog'],
    albums: ["Grandma's summer"],
  },
  swim: { taken: '2019-07-12', place: sylt, things: ['Beach'], people: ['Anna Lindqvist', '!Ghost'], camera: canon },
  sand: { taken: '2019-07-12T13:00:00', place: sylt, things: ['Beach'], camera: phone, albums: ['Beach days'] },
  cake: {
    taken: '2023-06-12',
    filename: 'birthday.heic',
    description: 'Cake for Zoë',
    things: ['Cake'],
    camera: phone,
  },
  candles: { taken: '2023-06-12T20:30:00', filename: 'birthday-2.heic', things: ['Cake'], albums: ['June'] },
  tokyo: { taken: '2017-04-01', filename: 'IMG_2023.JPG', description: '東京タワー', albums: ['日本'] },
  cat: { taken: '2022-02-28', description: 'The cat called May sleeps', things: ['Cat'] },
  mayDay: { taken: '2022-05-01', filename: 'tulips.jpg', things: ['Flower'] },
  strasse: { taken: '2016-11-09', description: 'Große Straße, Москва' },
  screenshot: {
    taken: '2024-01-03',
    filename: 'Screenshot 2024-01-03 at 10.20.30.png',
    text: 'Boarding pass Lisbon LH1172',
  },
  leap: { taken: '2024-02-29', filename: 'leap_day.jpg' },
  uuid: { taken: '2015-03-03', filename: '3f2a9c1e-7b44-4d0a-9a51-0f6e2c1d8b77.jpg' },
  secret: { taken: '2019-07-13', filename: 'surprise.jpg', albums: ['!Treasure'], things: ['Bicycle'] },
  hidden: { taken: '2019-07-14', filename: 'hidden.jpg', things: ['Beach'], state: { is_hidden: true } },
  trashed: { taken: '2019-07-15', filename: 'trashed.jpg', things: ['Beach'], state: { deleted_at: new Date() } },
  paired: { taken: '2019-07-16', filename: 'paired.mov', things: ['Beach'], state: { is_motion_half: true } },
  removed: { taken: '2019-07-17', filename: 'removed.jpg', things: ['Beach'], state: { removing_at: new Date() } },
});
const keys = new Map([...ids].map(([key, id]) => [id, key]));

/** Expected results. By default all of them in order; after `...` only the first ones; after `~` all in any order. */
const cases: Readonly<Record<string, string>> = {
  // Names
  Italy: 'forum pizza',
  italy: 'forum pizza',
  'ITALY 2019': 'forum pizza',
  Rome: 'pizza forum',
  trastevere: 'pizza forum',
  lazio: 'pizza forum',
  poland: 'lodz',
  Łódź: 'lodz',
  lodz: 'lodz',
  'ile de france': 'menu eiffel',
  germany: 'sand swim dunes',
  westerland: 'sand swim dunes',
  'Schleswig-Holstein': 'sand swim dunes',
  beach: 'sand swim dunes',
  dog: 'dunes',
  pizza: 'pizza menu',
  'grandma summer': 'dunes',
  "grandma's": 'dunes',
  grandmas: 'dunes',
  日本: 'tokyo',
  // Filenames
  'IMG_4711.JPG': 'forum',
  img_4711: 'forum',
  4711: 'forum',
  dsc01234: 'lodz',
  1234: 'lodz',
  'dsc 1234': 'lodz',
  dsc: 'lodz',
  pxl: 'eiffel',
  20210820: 'eiffel',
  PXL_20210820_101112: 'eiffel',
  'pxl_20210820_101112.JPG': 'eiffel',
  pxl_20210820_1011: 'eiffel',
  pxl_20210820_1013: '',
  101112: '',
  20210821: 'menu',
  20210832: '',
  heic: 'candles cake',
  mp4: 'dunes',
  birthday: 'candles cake',
  'birthday 2': 'candles',
  '3f2a9c1e': 'uuid',
  '3f2a9c1e-7b44-4d0a-9a51-0f6e2c1d8b77': 'uuid',
  screenshot: 'screenshot',
  // Descriptions
  'tour eiffel': 'eiffel',
  'TRES BELLE': 'eiffel',
  zoe: 'cake',
  Zoë: 'cake',
  'Zoe\u0308': 'cake',
  東京: 'tokyo',
  タワー: 'tokyo',
  strasse: 'strasse',
  'große straße': 'strasse',
  МОСКВА: 'strasse',
  // Cameras
  canon: 'swim forum',
  'canon eos': 'swim forum',
  'eos 5d': 'swim forum',
  iphone: 'cake sand pizza',
  sony: 'lodz',
  'ILCE-7M3': 'lodz',
  // Text in pictures
  croissant: 'menu',
  'cafe flore': 'menu',
  'boarding lisbon': 'screenshot',
  lh1172: 'screenshot',
  // Dates
  2019: 'secret forum sand swim pizza',
  'june 2023': 'candles cake',
  '12 june 2023': 'candles cake',
  'June 12th, 2023': 'candles cake',
  '12th of June 2023': 'candles cake',
  '2023-06-12': 'candles cake',
  '12.06.2023': 'candles cake',
  '2023-06': 'candles cake',
  'jul 2019': 'secret sand swim',
  july: 'secret sand swim dunes',
  '12 july': 'sand swim',
  'february 29': 'leap',
  '30 february': '',
  2023: '... candles tokyo cake',
  june: '~ candles cake',
  may: '~ mayDay cat pizza forum',
  'may 2022': '~ mayDay cat',
  'december 2023': '',
  // Several words
  'beach 2019': 'sand swim',
  'anna beach 2019': 'swim',
  'beach in july 2018': 'dunes',
  'canon italy': 'forum',
  'canon beach': 'swim',
  'iphone pizza rome': 'pizza',
  'beach poland': '',
  'cat may': 'cat',
  // Prefixes
  bea: 'sand swim dunes',
  pizz: 'pizza menu',
  be: '',
  an: '',
  // Typos
  baech: 'sand swim dunes',
  beech: 'sand swim dunes',
  bech: 'sand swim dunes',
  itly: 'forum pizza',
  trastevree: 'pizza forum',
  westrelant: 'sand swim dunes',
  crossant: 'menu',
  brithday: 'candles cake',
  'annna baech': 'swim',
  dgo: '',
  4713: '',
  // Nothing, and nonsense
  zeppelin: '',
  'beach zeppelin': '',
  '%': '',
  "'": '',
  '!!! & | :*': '',
  '\\': '',
  the: 'cat',
  // Hidden items and collections stay hidden
  treasure: '',
  ghost: '',
  lindqvist: 'swim',
  'anna lindkvist': 'swim',
  bicycle: 'secret',
  surprise: 'secret',
  hidden: '',
  trashed: '',
  paired: '',
  removed: '',
};

for (const [query, expected] of Object.entries(cases)) {
  test(`"${query}" finds ${expected === '' ? 'nothing' : expected}`, async () => {
    const found = await search(query);
    const [mode, ...rest] = expected.split(' ').filter((key) => key !== '');
    if (mode === '...') assert.deepEqual(found.slice(0, rest.length), rest);
    else if (mode === '~') assert.deepEqual(found.toSorted(), rest.toSorted());
    else assert.deepEqual(found, mode === undefined ? [] : [mode, ...rest]);
  });
}

const search = async (query: string, features = {}): Promise<string[]> => {
  const { entries: items } = await searchByText(db, { userId, features }, query, { limit: 100, start: { number: 1 } });
  return items.map(({ id }) => keys.get(id) ?? 'item of another user');
};

test('finds nothing in features that are off', async () => {
  assert.deepEqual(await search('rome', { places: false }), []);
  assert.deepEqual(await search('dog', { things: false }), []);
  assert.deepEqual(await search('grandma', { albums: false }), []);
  assert.deepEqual(await search('anna', { people: false }), []);
  assert.deepEqual(await search('italy', { places: false }), ['forum']);
});

test('finds no items of another user', async () => {
  const { id: other } = await buildUser(db);
  await buildSearchLibrary(db, other, { one: { taken: '2019-07-12', things: ['Boat'], description: 'Anna' } });
  for (const query of ['beach', 'rome', 'croissant', 'img', '2018', 'baech', 'grandma']) {
    const { entries: items } = await searchByText(db, { userId: other, features: {} }, query, {
      limit: 100,
      start: { number: 1 },
    });
    assert.deepEqual(items, [], query);
  }
  assert.deepEqual(await search('boat'), []);
});
