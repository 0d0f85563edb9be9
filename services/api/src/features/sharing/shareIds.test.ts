import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { renderItem } from '@hearth/testkit/api/renderItem.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
after(() => api.stop());

/** Creates a user with a shared album of one photo. */
const setUp = async () => {
  const user = await api.signUp();
  const item = await user.uploadPhoto();
  await renderItem(api, user.id, item);
  const body = { name: 'Summer', shared: true, coverMediaItemId: item };
  const { id, shareId } = (await user.call('createAlbum', { body })).body;
  return {
    call: user.call,
    id,
    shareId: shareId!,
    read: async () => (await user.call('getAlbum', { params: { id } })).body,
    update: async (changes: object) => user.call('updateAlbum', { params: { id }, body: changes }),
  };
};

const visit = (id: string) => api.call('getSharedAlbum', { params: { id } });

test("an active share keeps its id, which differs from the album's", async () => {
  const { id, shareId, read, update } = await setUp();
  assert.notEqual(shareId, id);
  await update({ name: 'Summer 2024', shared: true });
  assert.deepEqual([(await read()).shareId, (await visit(shareId)).body.id], [shareId, shareId]);
  assert.equal((await visit(id)).status, 404);
});

test('the end of sharing revokes the share and its file links at once, even if the album is shared again', async () => {
  const { call, id, shareId, read, update } = await setUp();
  const links = Object.values((await visit(shareId)).body.coverMediaItem!).filter((value) =>
    String(value).startsWith('/v1/'),
  );
  assert.equal(links.length, 4);
  for (const link of links) assert.equal((await fetchLink(api.url, String(link))).status, 200);
  const assertGone = async () => {
    for (const name of ['getSharedAlbum', 'listSharedMediaItems'] as const) {
      const { status, error } = await api.call(name, { params: { id: shareId } });
      assert.deepEqual([status, error.message], [404, 'shared link not found']);
    }
    for (const link of links) assert.equal((await fetchLink(api.url, String(link))).error.message, 'file not found');
  };

  await update({ shared: false });
  assert.deepEqual([(await read()).shareId, (await read()).shared], [undefined, false]);
  await assertGone();

  await update({ shared: true });
  const again = (await read()).shareId;
  assert.ok(again !== undefined && ![id, shareId].includes(again));
  assert.equal((await visit(again)).status, 200);
  const [listed] = (await call('listAlbums')).body;
  assert.equal(listed?.shareId, again);
  await assertGone();
});
