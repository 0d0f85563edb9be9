import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { writeItemPlace, type ItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { db } = api.deps;
after(() => api.stop());

const riehen: ItemPlace = {
  countryCode: 'CH',
  country: 'Switzerland',
  state: 'Basel-City',
  city: 'Basel',
  town: 'Riehen',
  postcode: '4125',
};
const japan: ItemPlace = { countryCode: 'JP', country: 'Japan' };

/** Creates a user with helpers to add photos at places, as the worker does. */
const setUp = async () => {
  const user = await api.signUp();
  const { call, uploadPhoto } = user;
  let day = 0;
  return {
    ...user,
    /** Adds a photo one day after the previous one. */
    photoAt: async (place: ItemPlace | null) => {
      day += 1;
      const id = await uploadPhoto({ creationTime: new Date(Date.UTC(2020, 0, day)).toISOString() });
      await db.transaction().execute((trx) => writeItemPlace(trx, id, place));
      return id;
    },
    places: async (query = {}) => (await call('listPlaces', { query })).body,
    place: async (id: string) => (await call('getPlace', { params: { id } })).body,
    itemIds: async (id: string) => (await call('listPlaceMediaItems', { params: { id } })).body.map((item) => item.id),
    trash: async (...mediaItems: string[]) => call('addToTrash', { body: { mediaItems } }),
  };
};

test('lists places by name with their newest photo, and their photos', async () => {
  const { photoAt, places, place, itemIds, call } = await setUp();
  const first = await photoAt(riehen);
  const elsewhere = await photoAt(japan);
  const second = await photoAt({ ...riehen, postcode: '4126' });
  await photoAt(null);
  const listed = await places();
  assert.deepEqual(
    listed.map(({ name, coverMediaItemId }) => [name, coverMediaItemId]),
    [
      ['Japan', elsewhere],
      ['Riehen', second],
    ],
  );
  const { id, town, city, state, country, postcode, coverMediaItem } = await place(listed[1]!.id);
  assert.deepEqual([town, city, state, country, postcode], ['Riehen', 'Basel', 'Basel-City', 'Switzerland', undefined]);
  assert.equal(coverMediaItem?.id, second);
  assert.deepEqual(await itemIds(id), [second, first]);
  const page = await call('listPlaces', { query: { limit: 1 } });
  assert.deepEqual([page.body.length, page.headers.get('x-total-count')], [1, '2']);
  assert.match(page.headers.get('link') ?? '', /^<\/v1\/explore\/places\?limit=1&cursor=[\w-]+>; rel="next"$/);
});

test("returns an item's place with the item's postcode, even in the trash, and nothing for an item without a place", async () => {
  const { photoAt, call, trash } = await setUp();
  const [here, nowhere] = [await photoAt(riehen), await photoAt(null)];
  const placesOf = async (id: string) => (await call('listMediaItemPlaces', { params: { id } })).body;
  assert.deepEqual(
    (await placesOf(here)).map(({ name, postcode }) => [name, postcode]),
    [['Riehen', '4125']],
  );
  assert.deepEqual(await placesOf(nowhere), []);
  await trash(here);
  assert.deepEqual(
    (await placesOf(here)).map(({ name, coverMediaItemId }) => [name, coverMediaItemId]),
    [['Riehen', undefined]],
  );
});

test('hides a place without visible items until it has one again', async () => {
  const { photoAt, places, call, trash } = await setUp();
  const photo = await photoAt(japan);
  const [{ id } = { id: '' }] = await places();
  await trash(photo);
  assert.deepEqual(await places(), []);
  for (const name of ['getPlace', 'listPlaceMediaItems'] as const) {
    assert.equal((await call(name, { params: { id } })).error.message, 'place not found');
  }
  const choice = { params: { id }, body: { coverMediaItemId: photo } };
  assert.equal((await call('updatePlace', choice)).error.message, 'place not found');
  await call('restoreFromTrash', { body: { mediaItems: [photo] } });
  assert.deepEqual(
    (await places()).map((place) => place.id),
    [id],
  );
});

test('moves an item when the worker finds another place for it', async () => {
  const { photoAt, places } = await setUp();
  const id = await photoAt(japan);
  const namesNow = async () => (await places()).map(({ name }) => name);
  await db.transaction().execute((trx) => writeItemPlace(trx, id, riehen));
  assert.deepEqual(await namesNow(), ['Riehen']);
  await db.transaction().execute((trx) => writeItemPlace(trx, id, null));
  assert.deepEqual(await namesNow(), []);
});

test('accepts only visible items of a place as its cover', async () => {
  const { photoAt, places, place, call, trash } = await setUp();
  const [first, second, elsewhere] = [await photoAt(riehen), await photoAt(riehen), await photoAt(japan)];
  const id = (await places()).find(({ name }) => name === 'Riehen')!.id;
  const choose = async (coverMediaItemId: string | null) =>
    call('updatePlace', { params: { id }, body: { coverMediaItemId } });
  assert.equal((await choose(first)).status, 204);
  assert.equal((await place(id)).coverMediaItemId, first);
  for (const wrong of [elsewhere, randomUUID()])
    assert.equal((await choose(wrong)).error.message, 'media item not found');
  await trash(first);
  assert.equal((await place(id)).coverMediaItemId, second);
  await call('restoreFromTrash', { body: { mediaItems: [first] } });
  assert.equal((await place(id)).coverMediaItemId, first);
  await choose(null);
  assert.equal((await place(id)).coverMediaItemId, second);
});

test('hides places from other users', async () => {
  const [mine, theirs] = [await setUp(), await setUp()];
  const photo = await mine.photoAt(riehen);
  const [{ id } = { id: '' }] = await mine.places();
  assert.deepEqual(await theirs.places(), []);
  const request = { params: { id } };
  assert.equal((await theirs.call('getPlace', request)).error.message, 'place not found');
  assert.equal((await theirs.call('listPlaceMediaItems', request)).error.message, 'place not found');
  const choice = { ...request, body: { coverMediaItemId: photo } };
  assert.equal((await theirs.call('updatePlace', choice)).error.message, 'place not found');
  assert.equal((await theirs.call('listMediaItemPlaces', { params: { id: photo } })).status, 404);
});

test('hides the list of places without `explore`, and also the places of an item without `places`', async () => {
  const { id, call, photoAt } = await setUp();
  const photo = await photoAt(riehen);
  await api.callAsAdmin('updateUser', { params: { id }, body: { features: { explore: false } } });
  assert.equal((await call('listPlaces')).error.message, 'route not found');
  assert.equal((await call('listMediaItemPlaces', { params: { id: photo } })).status, 200);
  await api.callAsAdmin('updateUser', { params: { id }, body: { features: { explore: true, places: false } } });
  assert.equal((await call('listPlaces')).error.message, 'route not found');
  assert.equal((await call('listMediaItemPlaces', { params: { id: photo } })).error.message, 'route not found');
});
