import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { db } = api.deps;
after(() => api.stop());

/** Creates a user with helpers to add photos of things, as the worker does. */
const setUp = async () => {
  const user = await api.signUp();
  const { call, uploadPhoto, id: user_id } = user;
  let day = 0;
  return {
    ...user,
    /** Adds a photo one day after the previous one. */
    photoOf: async (...names: string[]) => {
      day += 1;
      const id = await uploadPhoto({ creationTime: new Date(Date.UTC(2020, 0, day)).toISOString() });
      const things = names.map((name) => ({ name }));
      await db.transaction().execute((trx) => writeItemThings(trx, { id, user_id }, things));
      return id;
    },
    things: async (query = {}) => (await call('listThings', { query })).body,
    itemIds: async (id: string) => (await call('listThingMediaItems', { params: { id } })).body.map((item) => item.id),
  };
};

test('lists things by name with their newest photo, and their photos', async () => {
  const { photoOf, things, itemIds, call } = await setUp();
  const [first, second] = [await photoOf('Dog'), await photoOf('Dog', 'beach')];
  const listed = await things();
  assert.deepEqual(
    listed.map(({ name, coverMediaItemId }) => [name, coverMediaItemId]),
    [
      ['beach', second],
      ['Dog', second],
    ],
  );
  const { id } = listed[1]!;
  assert.deepEqual(await itemIds(id), [second, first]);
  const thing = (await call('getThing', { params: { id } })).body;
  assert.deepEqual([thing.name, thing.coverMediaItem?.id], ['Dog', second]);
  const ofItem = (await call('listMediaItemThings', { params: { id: first } })).body;
  assert.deepEqual(
    ofItem.map(({ name }) => name),
    ['Dog'],
  );
  assert.equal((await call('listThings', { query: { limit: 1 } })).headers.get('x-total-count'), '2');
});

test('hides a thing without visible items, and accepts only visible items as its cover', async () => {
  const { photoOf, things, call } = await setUp();
  const [first, second, other] = [await photoOf('Dog'), await photoOf('Dog'), await photoOf('Cat')];
  const { id } = (await things()).find(({ name }) => name === 'Dog')!;
  const choose = async (coverMediaItemId: string | null) =>
    call('updateThing', { params: { id }, body: { coverMediaItemId } });
  assert.equal((await choose(first)).status, 204);
  assert.equal((await call('getThing', { params: { id } })).body.coverMediaItemId, first);
  for (const wrong of [other, randomUUID()]) assert.equal((await choose(wrong)).error.message, 'media item not found');
  await call('addToTrash', { body: { mediaItems: [first] } });
  assert.equal((await call('getThing', { params: { id } })).body.coverMediaItemId, second);
  await call('addToHidden', { body: { mediaItems: [second] } });
  assert.deepEqual(
    (await things()).map(({ name }) => name),
    ['Cat'],
  );
  for (const name of ['getThing', 'listThingMediaItems'] as const) {
    assert.equal((await call(name, { params: { id } })).error.message, 'thing not found');
  }
  assert.equal((await choose(null)).error.message, 'thing not found');
});

test('hides things from other users', async () => {
  const [mine, theirs] = [await setUp(), await setUp()];
  const photo = await mine.photoOf('Dog');
  const params = { id: (await mine.things())[0]!.id };
  assert.deepEqual(await theirs.things(), []);
  assert.equal((await theirs.call('getThing', { params })).error.message, 'thing not found');
  assert.equal((await theirs.call('listThingMediaItems', { params })).error.message, 'thing not found');
  const choice = { params, body: { coverMediaItemId: photo } };
  assert.equal((await theirs.call('updateThing', choice)).error.message, 'thing not found');
  assert.equal((await theirs.call('listMediaItemThings', { params: { id: photo } })).status, 404);
});
