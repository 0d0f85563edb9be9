import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { makeFace, writeFaces } from '@hearth/testkit/rows/faces.ts';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { db, objects } = api.deps;
after(() => api.stop());

/** Creates a user with helpers to add photos of people, as the worker does. */
const setUp = async () => {
  const user = await api.signUp();
  const { call, uploadPhoto, id: user_id } = user;
  let day = 0;
  const personIds = new Map<string, string>();
  return {
    ...user,
    /** Adds a photo one day after the previous one, with better faces. */
    photoOf: async (...who: string[]) => {
      day += 1;
      const id = await uploadPhoto({ creationTime: new Date(Date.UTC(2020, 0, day)).toISOString() });
      const item = { id, user_id };
      await writeFaces(
        db,
        item,
        who.map((name, place) => makeFace(item, { place, personId: personIds.get(name) ?? null, quality: day / 100 })),
      );
      const faces = await db
        .selectFrom('faces')
        .selectAll()
        .where('media_item_id', '=', id)
        .orderBy('box_left')
        .execute();
      for (const [index, face] of faces.entries()) {
        personIds.set(who[index]!, face.person_id!);
        await objects.put(face.thumbnail_key, Readable.from([Buffer.from(face.thumbnail_key)]));
      }
      return id;
    },
    idOf: (name: string) => personIds.get(name)!,
    people: async (query = {}) => (await call('listPeople', { query })).body,
    change: async (name: string, body: object) => call('updatePerson', { params: { id: personIds.get(name)! }, body }),
    itemIds: async (name: string) =>
      (await call('listPersonMediaItems', { params: { id: personIds.get(name)! } })).body.map((item) => item.id),
  };
};

test('lists people by name, then by number of photos, each with the best face', async () => {
  const { photoOf, idOf, people, change, itemIds, call } = await setUp();
  const [first, second] = [await photoOf('Zoe', 'rare', 'often'), await photoOf('often', 'Ada')];
  assert.equal((await change('Zoe', { name: 'Zoe' })).status, 204);
  await change('Ada', { name: 'ada' });
  const listed = await people();
  assert.deepEqual(
    listed.map(({ id, name }) => [id, name]),
    [
      [idOf('Ada'), 'ada'],
      [idOf('Zoe'), 'Zoe'],
      [idOf('often'), undefined],
      [idOf('rare'), undefined],
    ],
  );
  assert.deepEqual(await itemIds('often'), [second, first]);
  const person = (await call('getPerson', { params: { id: idOf('often') } })).body;
  assert.deepEqual(person, listed[2]);
  assert.equal(person.coverMediaItemId, second);
  const ofItem = (await call('listMediaItemPeople', { params: { id: first } })).body;
  assert.deepEqual(ofItem.map(({ id }) => id).toSorted(), [idOf('Zoe'), idOf('rare'), idOf('often')].toSorted());
  const page = await call('listPeople', { query: { limit: 3, page: 2 } });
  assert.deepEqual([page.body.map(({ id }) => id), page.headers.get('x-total-count')], [[idOf('rare')], '4']);
  assert.equal((await call('listPeople', { query: { page: 2 } })).headers.get('x-total-count'), '4');
});

test('removes a person from a photo, and finds no person without photos', async () => {
  const { photoOf, idOf, itemIds, call, people } = await setUp();
  const [first, second] = [await photoOf('Ada', 'Zoe'), await photoOf('Ada')];
  const remove = async (name: string, ...mediaItems: string[]) =>
    call('removeFromPerson', { params: { id: idOf(name) }, body: { mediaItems } });
  assert.equal((await remove('Ada', first)).status, 204);
  assert.deepEqual(await itemIds('Ada'), [second]);
  const onFirst = (await call('listMediaItemPeople', { params: { id: first } })).body.map(({ id }) => id);
  assert.equal(onFirst.length, 2);
  assert.ok(onFirst.includes(idOf('Zoe')) && !onFirst.includes(idOf('Ada')));
  assert.equal((await remove('Ada', first)).status, 204, 'once more');
  assert.equal((await remove('Ada', second)).status, 204);
  assert.ok((await people()).every(({ id }) => id !== idOf('Ada')));
  assert.equal((await remove('Ada', second)).error.message, 'person not found');
  const stranger = await setUp();
  const theirs = await stranger.photoOf('Bea');
  assert.equal((await remove('Zoe', theirs)).error.message, 'media item not found');
  const foreign = { params: { id: idOf('Zoe') }, body: { mediaItems: [theirs] } };
  assert.equal((await stranger.call('removeFromPerson', foreign)).error.message, 'person not found');
});

test('restores a removed person to a photo, even after the last one', async () => {
  const { photoOf, idOf, itemIds, call, people, change } = await setUp();
  const [first, second] = [await photoOf('Ada', 'Zoe'), await photoOf('Ada')];
  await change('Ada', { name: 'Ada', coverMediaItemId: first });
  const before = await people();
  const request = { params: { id: idOf('Ada') }, body: { mediaItems: [first, second] } };
  assert.equal((await call('removeFromPerson', request)).status, 204);
  assert.equal((await call('getPerson', { params: request.params })).status, 404);
  for (const about of ['', 'once more']) assert.equal((await call('returnToPerson', request)).status, 204, about);
  assert.deepEqual(await people(), before);
  assert.deepEqual(await itemIds('Ada'), [second, first]);
  const stranger = await setUp();
  const theirs = await stranger.photoOf('Bea');
  const foreign = { params: request.params, body: { mediaItems: [theirs] } };
  assert.equal((await call('returnToPerson', foreign)).error.message, 'media item not found');
  assert.equal((await stranger.call('returnToPerson', foreign)).error.message, 'person not found');
});

test('serves face pictures by signed links, like photos', async () => {
  const { photoOf, people, id: userId } = await setUp();
  const photo = await photoOf('Ada');
  const { thumbnail } = (await people())[0]!.coverMediaItemFace!;
  const response = await fetchLink(api.url, thumbnail);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'image/webp');
  assert.match(response.headers.get('cache-control') ?? '', /immutable/);
  assert.ok(response.bytes.toString().startsWith(`${userId}/${photo}/face-1-`));
  assert.equal((await people())[0]!.coverMediaItemFace!.thumbnail, thumbnail);
  assert.equal((await fetchLink(api.url, thumbnail.replace('face-1', 'face-2'))).status, 404);
});

test('lists a hidden person only among hidden ones, and returns them by id', async () => {
  const { photoOf, idOf, people, change, itemIds, call } = await setUp();
  const photo = await photoOf('Ada', 'Bea');
  await change('Ada', { hidden: true });
  const idsOf = async (query?: object) => (await people(query)).map(({ id }) => id);
  assert.deepEqual([await idsOf(), await idsOf({ hidden: true })], [[idOf('Bea')], [idOf('Ada')]]);
  const ofItem = (await call('listMediaItemPeople', { params: { id: photo } })).body;
  assert.deepEqual(
    ofItem.map(({ id }) => id),
    [idOf('Bea')],
  );
  assert.equal((await call('getPerson', { params: { id: idOf('Ada') } })).body.hidden, true);
  assert.equal((await call('getPerson', { params: { id: idOf('Bea') } })).body.hidden, false);
  assert.deepEqual(await itemIds('Ada'), [photo]);
  await change('Ada', { hidden: false });
  assert.deepEqual(await idsOf({ hidden: true }), []);
});

test('replaces a chosen cover while it is not visible, and hides a person without visible items', async () => {
  const { photoOf, idOf, people, change, call } = await setUp();
  const [first, second, other] = [await photoOf('Ada'), await photoOf('Ada'), await photoOf('Bea')];
  const params = { id: idOf('Ada') };
  const cover = async () => (await call('getPerson', { params })).body.coverMediaItemId;
  assert.equal(await cover(), second);
  await change('Ada', { name: ' Ada ', coverMediaItemId: first });
  assert.deepEqual([await cover(), (await people())[0]!.name], [first, 'Ada']);
  for (const wrong of [other, randomUUID()]) {
    const refused = await change('Ada', { name: 'other', coverMediaItemId: wrong });
    assert.equal(refused.error.message, 'media item not found');
  }
  assert.equal((await people())[0]!.name, 'Ada', 'a rejected request changes nothing');
  await call('addToTrash', { body: { mediaItems: [first] } });
  assert.equal(await cover(), second);
  await call('restoreFromTrash', { body: { mediaItems: [first] } });
  assert.equal(await cover(), first);
  await change('Ada', { name: null, coverMediaItemId: null });
  assert.deepEqual([await cover(), (await people()).every(({ name }) => name === undefined)], [second, true]);
  await call('addToHidden', { body: { mediaItems: [first, second] } });
  assert.deepEqual(
    (await people()).map(({ id }) => id),
    [idOf('Bea')],
  );
  for (const name of ['getPerson', 'listPersonMediaItems'] as const) {
    assert.equal((await call(name, { params })).error.message, 'person not found');
  }
  assert.equal((await change('Ada', { name: 'Ada' })).error.message, 'person not found');
  const ofItem = (await call('listMediaItemPeople', { params: { id: first } })).body;
  assert.deepEqual(Object.keys(ofItem[0]!).toSorted(), ['createdAt', 'hidden', 'id', 'updatedAt']);
});

test('merges people into the person in the path, all or none', async () => {
  const { photoOf, idOf, people, change, itemIds, call } = await setUp();
  const [first, second] = [await photoOf('Ada', 'Bea'), await photoOf('Bea', 'Cleo')];
  await change('Bea', { name: 'Bea' });
  const merge = async (id: string, ...names: string[]) =>
    call('mergePeople', { params: { id }, body: { people: names } });
  const unknown = await merge(idOf('Ada'), idOf('Bea'), randomUUID());
  assert.equal(unknown.error.message, 'person not found');
  assert.equal((await people()).length, 3);
  assert.equal((await merge(idOf('Ada'), idOf('Ada'), idOf('Bea'))).status, 204);
  assert.deepEqual(
    (await people()).map(({ id, name }) => [id, name]),
    [
      [idOf('Ada'), 'Bea'],
      [idOf('Cleo'), undefined],
    ],
  );
  assert.deepEqual(await itemIds('Ada'), [second, first]);
  assert.equal((await call('getPerson', { params: { id: idOf('Bea') } })).status, 404);
});

test('reverts a merge if the merge request is repeated with the method DELETE', async () => {
  const { photoOf, idOf, people, change, itemIds, call } = await setUp();
  const [first, second] = [await photoOf('Ada', 'Bea'), await photoOf('Bea', 'Cleo')];
  await change('Bea', { name: 'Bea', coverMediaItemId: first });
  await change('Cleo', { hidden: true });
  const lists = async () => [await people(), await people({ hidden: true })];
  // Omits `updatedAt`, because every change updates it.
  const before = JSON.stringify(await lists(), (key, value: unknown) => (key === 'updatedAt' ? undefined : value));
  const request = { params: { id: idOf('Ada') }, body: { people: [idOf('Bea'), idOf('Cleo')] } };
  assert.equal((await call('mergePeople', request)).status, 204);
  const third = await photoOf('Ada');
  for (const about of ['', 'once more']) assert.equal((await call('separatePeople', request)).status, 204, about);
  assert.deepEqual(
    [await itemIds('Ada'), await itemIds('Bea'), await itemIds('Cleo')],
    [[third, first], [second, first], [second]],
  );
  await call('deleteMediaItem', { params: { id: third } });
  const after = JSON.stringify(await lists(), (key, value: unknown) => (key === 'updatedAt' ? undefined : value));
  assert.equal(after, before);
  const stranger = await setUp();
  await stranger.photoOf('Zoe');
  const foreign = { ...request, params: { id: stranger.idOf('Zoe') } };
  for (const response of [
    await stranger.call('separatePeople', request),
    await stranger.call('separatePeople', foreign),
  ])
    assert.equal(response.error.message, 'person not found');
});

test('hides people from other users', async () => {
  const [mine, theirs] = [await setUp(), await setUp()];
  const photo = await mine.photoOf('Ada', 'Bea');
  await theirs.photoOf('Cleo');
  const params = { id: mine.idOf('Ada') };
  assert.deepEqual(
    (await theirs.people()).map(({ id }) => id),
    [theirs.idOf('Cleo')],
  );
  const calls = [
    await theirs.call('getPerson', { params }),
    await theirs.call('listPersonMediaItems', { params }),
    await theirs.call('updatePerson', { params, body: { name: 'mine' } }),
    await theirs.call('mergePeople', { params, body: { people: [mine.idOf('Bea')] } }),
    await theirs.call('mergePeople', { params: { id: theirs.idOf('Cleo') }, body: { people: [params.id] } }),
  ];
  for (const response of calls) assert.equal(response.error.message, 'person not found');
  assert.equal((await theirs.call('listMediaItemPeople', { params: { id: photo } })).status, 404);
  assert.equal((await mine.people()).length, 2);
});
