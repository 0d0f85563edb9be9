import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import type { CallOptions } from '@hearth/testkit/api/client.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import type { TestUser } from '@hearth/testkit/api/testUser.ts';

const api = await startTestApi();
after(() => api.stop());

/** Creates a user with shortcuts for album requests. */
const setUp = async () => {
  const user = await api.signUp();
  const { call } = user;
  return {
    ...user,
    create: async (name: string, body: object = {}) => (await call('createAlbum', { body: { name, ...body } })).body,
    get: async (id: string) => (await call('getAlbum', { params: { id } })).body,
    update: async (id: string, body: object) => call('updateAlbum', { params: { id }, body }),
    add: async (id: string, ...mediaItems: string[]) => call('addToAlbum', { params: { id }, body: { mediaItems } }),
    take: async (id: string, ...mediaItems: string[]) =>
      call('removeFromAlbum', { params: { id }, body: { mediaItems } }),
    itemIds: async (id: string, query = {}) =>
      (await call('listAlbumMediaItems', { params: { id }, query })).body.map((item) => item.id),
    names: async (query: CallOptions['query'] = {}) =>
      (await call('listAlbums', { query })).body.map(({ name }) => name),
  };
};

test('creates, shows, changes and deletes an album, and keeps its photos', async () => {
  const { call, get, update, add, uploadPhoto } = await setUp();
  const photo = await uploadPhoto();
  const created = await call('createAlbum', { body: { name: '  Summer  ', description: 'at the lake' } });
  const { id } = created.body;
  assert.deepEqual([created.status, created.headers.get('location')], [201, `/v1/albums/${id}`]);
  assert.deepEqual(await get(id), created.body);
  const { name, description, shared, hidden, mediaItemsCount, coverMediaItemId } = created.body;
  assert.deepEqual(
    { name, description, shared, hidden, mediaItemsCount, coverMediaItemId },
    {
      name: 'Summer',
      description: 'at the lake',
      shared: false,
      hidden: false,
      mediaItemsCount: 0,
      coverMediaItemId: undefined,
    },
  );
  await add(id, photo);
  assert.equal((await update(id, { name: 'Winter', description: null, shared: true })).status, 204);
  const changed = await get(id);
  assert.deepEqual(
    [changed.name, changed.description, changed.shared, changed.mediaItemsCount],
    ['Winter', undefined, true, 1],
  );
  assert.ok(changed.updatedAt > created.body.updatedAt);
  assert.equal((await call('deleteAlbum', { params: { id } })).status, 204);
  assert.equal((await call('getAlbum', { params: { id } })).error.message, 'album not found');
  assert.equal((await call('getMediaItem', { params: { id: photo } })).status, 200);
});

test('lists each item once, newest first, and only while it is visible', async () => {
  const { call, create, get, add, take, itemIds, uploadPhoto } = await setUp();
  const { id } = await create('Summer');
  const ids: string[] = [];
  for (const year of [2001, 2002, 2003, 2004])
    ids.unshift(await uploadPhoto({ creationTime: `${year}-01-01T00:00:00Z` }));
  assert.equal((await add(id, ...ids, ids[0]!)).status, 204);
  assert.equal((await add(id, ids[1]!)).status, 204);
  assert.deepEqual(await itemIds(id), ids);
  await call('addToTrash', { body: { mediaItems: [ids[0]!] } });
  await call('addToHidden', { body: { mediaItems: [ids[1]!] } });
  assert.deepEqual(await itemIds(id), ids.slice(2));
  const { mediaItemsCount, coverMediaItem } = await get(id);
  assert.deepEqual([mediaItemsCount, coverMediaItem?.id], [2, ids[2]]);
  await call('restoreFromTrash', { body: { mediaItems: [ids[0]!] } });
  assert.deepEqual(await itemIds(id), [ids[0], ids[2], ids[3]]);
  assert.equal((await take(id, ids[0]!, ids[0]!)).status, 204);
  assert.equal((await take(id, ids[0]!)).status, 204);
  const page = await call('listAlbumMediaItems', { params: { id }, query: { page: 2, limit: 1 } });
  assert.deepEqual([page.body.map((item) => item.id), page.headers.get('x-total-count')], [[ids[3]], '2']);
  assert.deepEqual((await call('getMediaItem', { params: { id: ids[0]! } })).body.deleted, false);
});

test('accepts only visible items as cover, and chooses one until the user does', async () => {
  const { create, get, update, add, uploadPhoto } = await setUp();
  const [first, second, other] = [await uploadPhoto(), await uploadPhoto(), await uploadPhoto()];
  const album = await create('Summer', { coverMediaItemId: first });
  assert.deepEqual([album.coverMediaItemId, album.mediaItemsCount], [first, 1]);
  await add(album.id, second);
  assert.equal((await get(album.id)).coverMediaItemId, first);
  for (const coverMediaItemId of [other, randomUUID()]) {
    assert.equal((await update(album.id, { name: 'Changed', coverMediaItemId })).error.message, 'media item not found');
  }
  assert.equal((await get(album.id)).name, 'Summer');
  await update(album.id, { coverMediaItemId: null });
  assert.equal((await get(album.id)).coverMediaItemId, second);
});

test('sorts albums by name ignoring case, by creation or by change, in both directions', async () => {
  const { call, create, update, names } = await setUp();
  const ids: Record<string, string> = {};
  for (const name of ['b', 'C', 'a', 'B']) ids[name] = (await create(name)).id;
  await update(ids['C']!, { shared: true });
  await update(ids['a']!, { shared: true });
  assert.deepEqual(await names(), ['a', 'B', 'b', 'C']);
  assert.deepEqual(await names({ sort: '-name' }), ['C', 'b', 'B', 'a']);
  assert.deepEqual(await names({ sort: 'createdAt' }), ['b', 'C', 'a', 'B']);
  assert.deepEqual(await names({ sort: '-updatedAt' }), ['a', 'C', 'B', 'b']);
  assert.deepEqual(await names({ shared: 'true' }), ['a', 'C']);
  assert.deepEqual(await names({ shared: 'false' }), ['B', 'b']);
  await update(ids['b']!, { hidden: true });
  assert.deepEqual([await names(), await names({ hidden: 'true' })], [['a', 'B', 'C'], ['b']]);
  const { body, headers } = await call('listAlbums', { query: { page: 2, limit: 1, sort: '-name' } });
  assert.deepEqual([body.map(({ name }) => name), headers.get('x-total-count')], [['B'], '3']);
  const next = new URL(/^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')![1]!, api.url);
  assert.deepEqual([...next.searchParams.keys()], ['limit', 'sort', 'cursor']);
  assert.deepEqual(await names(Object.fromEntries(next.searchParams)), ['a']);
  assert.equal((await call('listAlbums', { query: { page: 3, limit: 1 } })).headers.get('link'), null);
});

test('lists the albums of an item', async () => {
  const { call, create, add, uploadPhoto } = await setUp();
  const [photo, other] = [await uploadPhoto(), await uploadPhoto()];
  const [b, a, hidden] = [await create('b'), await create('a'), await create('c', { hidden: true })];
  for (const { id } of [a, b, hidden]) await add(id, photo);
  const albumsOf = async (id: string) =>
    (await call('listMediaItemAlbums', { params: { id } })).body.map(({ name }) => name);
  assert.deepEqual([await albumsOf(photo), await albumsOf(other)], [['a', 'b'], []]);
  assert.equal(
    (await call('listMediaItemAlbums', { params: { id: randomUUID() } })).error.message,
    'media item not found',
  );
});

test('hides albums from other users, and rejects their items', async () => {
  const [mine, theirs] = [await setUp(), await setUp()];
  const [{ id }, photo, foreign] = [await mine.create('Summer'), await mine.uploadPhoto(), await theirs.uploadPhoto()];
  const { error } = await mine.add(id, photo, foreign);
  assert.deepEqual([error.message, await mine.itemIds(id)], ['media item not found', []]);
  const asStranger = async ({ call }: TestUser) => [
    await call('getAlbum', { params: { id } }),
    await call('updateAlbum', { params: { id }, body: { name: 'Mine' } }),
    await call('deleteAlbum', { params: { id } }),
    await call('listAlbumMediaItems', { params: { id } }),
    await call('addToAlbum', { params: { id }, body: { mediaItems: [foreign] } }),
    await call('removeFromAlbum', { params: { id }, body: { mediaItems: [foreign] } }),
  ];
  for (const response of await asStranger(theirs)) assert.equal(response.error.message, 'album not found');
  assert.deepEqual([await theirs.names(), (await mine.get(id)).name], [[], 'Summer']);
});

test('requires a name and an existing cover', async () => {
  const { call } = await setUp();
  const unknown = await call('createAlbum', { body: { name: 'a', coverMediaItemId: randomUUID() } });
  assert.equal(unknown.status, 404);
  assert.equal((await call('createAlbum', { body: { name: '' } })).error.code, 'VALIDATION_FAILED');
});
