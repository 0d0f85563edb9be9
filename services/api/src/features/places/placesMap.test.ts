import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { db } = api.deps;
after(() => api.stop());

/** Creates a user with a helper to add photos at positions, as the worker does. */
const setUp = async () => {
  const user = await api.signUp();
  return {
    ...user,
    photoAt: async (latitude: number, longitude: number) => {
      const id = await user.uploadPhoto();
      const changes = { latitude, longitude, thumbnail_key: `${user.id}/${id}/thumbnail-1.webp` };
      await db.updateTable('media_items').set(changes).where('id', '=', id).execute();
      return id;
    },
    map: async (query = {}) => (await user.call('getPlacesMap', { query })).body,
  };
};

test('shows photos close to each other as one cluster, and separately when zoomed in', async () => {
  const { photoAt, map } = await setUp();
  const [basel, other] = [await photoAt(47.5, 7.5), await photoAt(47.7, 7.7)];
  const sydney = await photoAt(-33.9, 151.2);
  const [europe, australia, ...rest] = await map();
  assert.deepEqual(rest, []);
  assert.deepEqual([europe!.count, australia!.count, australia!.coverMediaItemId], [2, 1, sydney]);
  assert.deepEqual([europe!.latitude, europe!.longitude], [47.6, 7.6]);
  assert.ok([basel, other].includes(europe!.coverMediaItemId));
  assert.match(europe!.thumbnailUrl ?? '', /thumbnail-1\.webp/);
  const near = await map({ bounds: '7,47,8,48', zoom: 11 });
  assert.deepEqual(near.map(({ coverMediaItemId }) => coverMediaItemId).toSorted(), [basel, other].toSorted());
  for (const { bounds, latitude } of near) assert.ok(bounds.south <= latitude && latitude <= bounds.north);
});

test('shows both sides of the 180th meridian, and nothing in between', async () => {
  const { photoAt, map } = await setUp();
  const [west, east] = [await photoAt(-17, -179.5), await photoAt(-17, 179.5)];
  await photoAt(-17, 0);
  const idsOf = async (bounds: string) =>
    (await map({ bounds, zoom: 8 })).map(({ coverMediaItemId }) => coverMediaItemId).toSorted();
  assert.deepEqual(await idsOf('179,-18,-179,-16'), [west, east].toSorted());
  assert.equal((await idsOf('-180,-18,180,-16')).length, 3);
});

test("excludes hidden, trashed and other users' items", async () => {
  const [{ photoAt, map, call }, theirs] = [await setUp(), await setUp()];
  const [hidden, trashed] = [await photoAt(1, 2), await photoAt(1, 2)];
  assert.equal((await map())[0]!.count, 2);
  assert.deepEqual(await theirs.map(), []);
  await call('addToHidden', { body: { mediaItems: [hidden] } });
  await call('addToTrash', { body: { mediaItems: [trashed] } });
  assert.deepEqual(await map(), []);
  await call('restoreFromTrash', { body: { mediaItems: [trashed] } });
  assert.deepEqual(
    (await map()).map(({ count, coverMediaItemId }) => [count, coverMediaItemId]),
    [[1, trashed]],
  );
});

test('rejects invalid bounds and zoom levels', async () => {
  const { call } = await setUp();
  for (const bounds of [
    '',
    '1,2,3',
    '1,2,3,4,5',
    '0,1,0,-1',
    '-181,0,0,0',
    '0,0,181,0',
    '0,-91,0,0',
    '0,0,0,91',
    'a,b,c,d',
    '1e1,0,2,0',
  ]) {
    const response = await call('getPlacesMap', { query: { bounds } });
    assert.deepEqual([response.status, response.error.errors?.[0]?.path], [400, 'query.bounds'], bounds);
  }
  for (const zoom of ['-1', '21', '1.5']) assert.equal((await call('getPlacesMap', { query: { zoom } })).status, 400);
  assert.deepEqual((await call('getPlacesMap', { query: { bounds: '7,47,7,47', zoom: 20 } })).body, []);
});
