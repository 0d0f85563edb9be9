import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
after(() => api.stop());

const flags = [
  {
    list: 'listFavourites',
    add: 'addToFavourites',
    remove: 'removeFromFavourites',
    flag: 'favourite',
    feature: 'favourites',
  },
  { list: 'listHidden', add: 'addToHidden', remove: 'removeFromHidden', flag: 'hidden', feature: 'hidden' },
] as const;

for (const { list, add, remove, flag, feature } of flags) {
  const setUp = async () => {
    const { call, uploadPhoto } = await api.signUp();
    return {
      call,
      uploadPhoto,
      mark: async (...mediaItems: string[]) => call(add, { body: { mediaItems } }),
      unmark: async (...mediaItems: string[]) => call(remove, { body: { mediaItems } }),
      isMarked: async (id: string) => (await call('getMediaItem', { params: { id } })).body[flag],
      listIds: async (query = {}) => (await call(list, { query })).body.map(({ id }) => id),
    };
  };

  test(`sets and clears ${flag} repeatedly`, async () => {
    const { uploadPhoto, mark, unmark, isMarked, listIds } = await setUp();
    const ids = [await uploadPhoto(), await uploadPhoto(), await uploadPhoto()];
    for (let times = 0; times < 2; times++) assert.equal((await mark(ids[0]!, ids[1]!, ids[0]!)).status, 204);
    assert.deepEqual(await Promise.all(ids.map(isMarked)), [true, true, false]);
    assert.deepEqual(new Set(await listIds()), new Set(ids.slice(0, 2)));
    for (let times = 0; times < 2; times++) assert.equal((await unmark(ids[0]!, ids[2]!)).status, 204);
    assert.deepEqual(await Promise.all(ids.map(isMarked)), [false, true, false]);
    assert.deepEqual(await listIds(), [ids[1]]);
  });

  test(`does not change ${flag} of any item if one id is unknown or belongs to another user`, async () => {
    const { uploadPhoto, mark, unmark, isMarked } = await setUp();
    const [id, foreign] = [await uploadPhoto(), await (await api.signUp()).uploadPhoto()];
    for (const other of [randomUUID(), foreign]) {
      const { status, error } = await mark(id, other);
      assert.deepEqual([status, error.message], [404, 'media item not found']);
      assert.equal(await isMarked(id), false);
    }
    await mark(id);
    assert.equal((await unmark(randomUUID(), id)).status, 404);
    assert.equal(await isMarked(id), true);
  });

  test(`lists ${feature} in pages, newest first, without the trash`, async () => {
    const { call, uploadPhoto, mark, listIds } = await setUp();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift(await uploadPhoto());
    await mark(...ids);
    await call('addToTrash', { body: { mediaItems: [ids[4]!] } });
    const { body, headers } = await call(list, { query: { page: 2, limit: 2 } });
    assert.deepEqual([body.map(({ id }) => id), headers.get('x-total-count')], [ids.slice(2, 4), '4']);
    const { headers: first } = await call(list, { query: { limit: 3 } });
    const next = new URL(/<([^>]+)>; rel="next"/.exec(first.get('link') ?? '')![1]!, api.url);
    assert.equal(next.pathname, `/v1/${feature}`);
    assert.deepEqual(await listIds(Object.fromEntries(next.searchParams)), [ids[3]]);
  });
}

test('lists a hidden favourite among the hidden items only', async () => {
  const { call, uploadPhoto } = await api.signUp();
  const id = await uploadPhoto();
  const body = { mediaItems: [id] };
  await call('addToFavourites', { body });
  await call('addToHidden', { body });
  const listed = await Promise.all((['listFavourites', 'listHidden'] as const).map((list) => call(list)));
  assert.deepEqual(
    listed.map(({ body: items }) => items.map((item) => item.id)),
    [[], [id]],
  );
  await call('removeFromHidden', { body });
  assert.deepEqual((await call('listFavourites')).body[0]?.id, id);
});
