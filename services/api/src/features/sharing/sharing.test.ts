import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import type { SharedMediaItem } from '@hearth/contract/sharing.ts';
import { writeItemText } from '@hearth/core/items/itemTexts.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { textLine } from '@hearth/testkit/pictures/textLine.ts';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { renderItem } from '@hearth/testkit/api/renderItem.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
after(() => api.stop());
beforeEach(() => api.deps.db.deleteFrom('login_attempts').execute());

/** Creates a user with a shared album of this many photos, newest first. */
const setUp = async (photos = 1) => {
  const user = await api.signUp();
  const { call } = user;
  const ids: string[] = [];
  for (let n = 0; n < photos; n++) {
    const id = await user.uploadPhoto({ creationTime: `${2000 + n}-01-01T00:00:00Z` });
    await renderItem(api, user.id, id);
    ids.unshift(id);
  }
  const created = await call('createAlbum', { body: { name: 'Summer', description: 'at the lake', shared: true } });
  const { id } = created.body;
  const shareId = created.body.shareId!;
  const add = async (...mediaItems: string[]) => call('addToAlbum', { params: { id }, body: { mediaItems } });
  await add(...ids);
  return {
    ...user,
    albumId: id,
    shareId,
    ids,
    add,
    update: async (body: object) => call('updateAlbum', { params: { id }, body }),
    album: async () => api.call('getSharedAlbum', { params: { id: shareId } }),
    list: async (query = {}) => api.call('listSharedMediaItems', { params: { id: shareId }, query }),
    item: async () => (await api.call('listSharedMediaItems', { params: { id: shareId } })).body[0]!,
  };
};

const linksOf = (item: SharedMediaItem) =>
  [item.sourceUrl, item.previewUrl, item.thumbnailUrl, item.posterUrl, item.motionUrl].filter(
    (url) => url !== undefined,
  );

test('shows the album and its items to anyone with the link, and nothing about the owner', async () => {
  const { id, username, albumId, shareId, ids, album, list } = await setUp(3);
  await api.deps.db
    .updateTable('media_items')
    .set({
      latitude: 47,
      longitude: 8,
      camera_make: 'Canon',
      camera_model: 'R6',
      description: 'my words',
      is_favourite: true,
    })
    .set({ utc_offset_minutes: 330 })
    .where('user_id', '=', id)
    .execute();
  for (const itemId of ids) await writeItemText(api.deps.db, itemId, [textLine('boarding pass')]);
  const { body, headers } = await album();
  assert.deepEqual(Object.keys(body), [
    'id',
    'name',
    'description',
    'coverMediaItemId',
    'coverMediaItem',
    'shared',
    'mediaItemsCount',
    'createdAt',
    'updatedAt',
  ]);
  assert.deepEqual([body.id, body.name, body.mediaItemsCount, body.coverMediaItemId], [shareId, 'Summer', 3, ids[0]]);
  assert.equal(body.shared, true);
  assert.equal(headers.get('cache-control'), 'no-store');
  const page = await list({ limit: 2 });
  assert.deepEqual([page.body.map((item) => item.id), page.headers.get('x-total-count')], [ids.slice(0, 2), '3']);
  assert.deepEqual(Object.keys(page.body[0]!), [
    'id',
    'mediaItemType',
    'mediaItemCategory',
    'sourceUrl',
    'previewUrl',
    'thumbnailUrl',
    'posterUrl',
    'localTime',
  ]);
  for (const text of [JSON.stringify(body), JSON.stringify(page.body)]) {
    for (const secret of [id, username, albumId, 'photo.jpg', 'Canon', 'my words', 'boarding pass', '05:30'])
      assert.ok(!text.includes(secret), secret);
  }
});

test('pages by number and by cursor show each item once', async () => {
  const { ids, list } = await setUp(7);
  const walk = async (first: object): Promise<string[]> => {
    const seen: string[] = [];
    for (let query: Record<string, string> | undefined = first as Record<string, string>; query !== undefined;) {
      const { body, headers } = await list(query);
      seen.push(...body.map(({ id }) => id));
      const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      query = next === undefined ? undefined : Object.fromEntries(new URL(next, api.url).searchParams);
    }
    return seen;
  };
  assert.deepEqual(await walk({ limit: 3 }), ids);
  assert.deepEqual([...(await walk({ limit: 3, page: 2 }))], ids.slice(3));
  assert.deepEqual(
    (await list({ limit: 3, page: 3 })).body.map(({ id }) => id),
    ids.slice(6),
  );
  assert.deepEqual((await list({ limit: 3, page: 9 })).body, []);
});

test('neither shows nor counts hidden, trashed and unfinished items, and uses none as cover', async () => {
  const { call, uploadPhoto, add, ids, album, list } = await setUp(5);
  const unready = await uploadPhoto({ creationTime: '2019-01-01T00:00:00Z' });
  await add(unready);
  await call('addToHidden', { body: { mediaItems: [ids[0]!] } });
  await call('addToTrash', { body: { mediaItems: [ids[1]!] } });
  const shown = ids.slice(2);
  const { body } = await album();
  assert.deepEqual([body.mediaItemsCount, body.coverMediaItemId], [3, shown[0]]);
  for (const query of [{}, { limit: 2 }, { limit: 2, page: 2 }]) {
    const { body, headers } = await list(query);
    const begin = query.page === 2 ? 2 : 0;
    assert.deepEqual(
      body.map(({ id }) => id),
      shown.slice(begin, begin + (query.limit ?? 15)),
    );
    assert.equal(headers.get('x-total-count'), '3');
  }
});

test('shows an item as soon as it is ready', async () => {
  const { id: userId, uploadPhoto, add, ids, list, album } = await setUp(1);
  const id = await uploadPhoto({ creationTime: '2019-01-01T00:00:00Z' });
  await add(id);
  assert.deepEqual(
    (await list()).body.map((item) => item.id),
    ids,
  );
  await renderItem(api, userId, id);
  assert.deepEqual(
    (await list()).body.map((item) => item.id),
    [id, ...ids],
  );
  assert.equal((await album()).body.mediaItemsCount, 2);
});

test('links of a shared item lead to renditions, which browsers must revalidate', async () => {
  const { id, ids, item } = await setUp();
  const shared = await item();
  for (const [url, name, type] of [
    [shared.sourceUrl, 'preview-1.jpg', 'image/jpeg'],
    [shared.previewUrl, 'preview-1.jpg', 'image/jpeg'],
    [shared.thumbnailUrl, 'thumbnail-1.webp', 'image/webp'],
    [shared.posterUrl, 'poster-1.jpg', 'image/jpeg'],
  ] as const) {
    const response = await fetchLink(api.url, url!);
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, type]);
    assert.equal(response.bytes.toString(), `${id}/${ids[0]}/${name}`);
    assert.equal(response.headers.get('cache-control'), 'private, no-cache');
    assert.equal(response.headers.get('content-disposition'), 'inline');
    const etag = response.headers.get('etag')!;
    assert.equal((await fetchLink(api.url, url!, { headers: { 'if-none-match': etag } })).status, 304);
    const range = await fetchLink(api.url, url!, { headers: { range: 'bytes=1-3' } });
    assert.deepEqual([range.status, range.bytes], [206, response.bytes.subarray(1, 4)]);
    assert.equal((await fetchLink(api.url, url!, { headers: { range: 'bytes=9999-' } })).status, 416);
    const head = await fetchLink(api.url, url!, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(response.bytes.length)]);
  }
});

test('links a video that is its own preview only after a copy without metadata exists', async () => {
  const { id, ids, item } = await setUp();
  const original = originalKey(id, ids[0]!);
  const base = `${id}/${ids[0]}`;
  await renderItem(api, id, ids[0]!, { type: 'VIDEO', preview_key: original, motion_key: original });
  const { sourceUrl, previewUrl, motionUrl, posterUrl } = await item();
  assert.deepEqual([sourceUrl, previewUrl, motionUrl, typeof posterUrl], [undefined, undefined, undefined, 'string']);
  await renderItem(api, id, ids[0]!, { preview_key: original, shared_video_key: `${base}/shared-1.mp4` });
  const copied = await item();
  for (const url of [copied.sourceUrl!, copied.previewUrl!]) {
    const { bytes, headers } = await fetchLink(api.url, url);
    assert.deepEqual([bytes.toString(), headers.get('content-type')], [`${base}/shared-1.mp4`, 'video/mp4']);
  }
  await renderItem(api, id, ids[0]!, { preview_key: `${base}/preview-1.mp4` });
  assert.equal((await fetchLink(api.url, (await item()).previewUrl!)).bytes.toString(), `${base}/preview-1.mp4`);
});

/** Actions that end sharing. Each returns a function that reverts it. */
const revocations = {
  'its owner may no longer share': async ({ id }) => {
    const set = async (sharing: boolean) =>
      api.callAsAdmin('updateUser', { params: { id }, body: { features: { sharing } } });
    await set(false);
    return async () => set(true);
  },
  'its owner no longer has albums': async ({ id }) => {
    const set = async (albums: boolean) =>
      api.callAsAdmin('updateUser', { params: { id }, body: { features: { albums } } });
    await set(false);
    return async () => set(true);
  },
} as const satisfies Record<string, (owner: Awaited<ReturnType<typeof setUp>>) => Promise<() => Promise<unknown>>>;

for (const [when, end] of Object.entries(revocations)) {
  test(`when ${when}, the album and its links are gone at once, and return when this is reverted`, async () => {
    const owner = await setUp();
    const links = linksOf(await owner.item());
    const undo = await end(owner);
    for (const response of [await owner.album(), await owner.list()])
      assert.deepEqual([response.status, response.error.message], [404, 'shared link not found']);
    for (const link of links) assert.equal((await fetchLink(api.url, link)).error.message, 'file not found');
    await undo();
    assert.equal((await owner.album()).status, 200);
    for (const link of links) assert.equal((await fetchLink(api.url, link)).status, 200);
  });
}

test('revokes the links of an item that leaves the album, but not of others', async () => {
  for (const leave of ['removeFromAlbum', 'addToTrash', 'addToHidden'] as const) {
    const { call, ids, albumId, list } = await setUp(2);
    const [gone, stays] = (await list()).body;
    assert.equal((await call(leave, { params: { id: albumId }, body: { mediaItems: [ids[0]!] } })).status, 204);
    for (const link of linksOf(gone!)) assert.equal((await fetchLink(api.url, link)).status, 404, leave);
    for (const link of linksOf(stays!)) assert.equal((await fetchLink(api.url, link)).status, 200, leave);
  }
});

test('deleted albums and albums of removed users look like ones that never existed', async () => {
  const [deleted, orphaned] = [await setUp(), await setUp()];
  const links = [...linksOf(await deleted.item()), ...linksOf(await orphaned.item())];
  await deleted.call('deleteAlbum', { params: { id: deleted.albumId } });
  await api.deps.db.updateTable('users').set({ removing_at: new Date() }).where('id', '=', orphaned.id).execute();
  for (const response of [await deleted.album(), await orphaned.album()]) assert.equal(response.status, 404);
  for (const link of links) assert.equal((await fetchLink(api.url, link)).status, 404);
});

test('shows a hidden album by its share link', async () => {
  const { update, album } = await setUp();
  await update({ hidden: true });
  assert.equal((await album()).status, 200);
});

test('responds identically for missing, unshared, switched-off and deleted albums, except for the id', async () => {
  const [unshared, off, deleted] = [await setUp(), await setUp(), await setUp()];
  await unshared.update({ shared: false });
  await api.callAsAdmin('updateUser', { params: { id: off.id }, body: { features: { sharing: false } } });
  await deleted.call('deleteAlbum', { params: { id: deleted.albumId } });
  const shared = await setUp();
  const ids = [
    randomUUID(),
    unshared.shareId,
    off.shareId,
    deleted.shareId,
    off.ids[0]!,
    ...[unshared, off, deleted, shared].map(({ albumId }) => albumId),
  ];
  for (const name of ['getSharedAlbum', 'listSharedMediaItems'] as const) {
    const responses = await Promise.all(
      ids.map(async (id) => {
        const headers = { 'x-request-id': 'the-same' };
        const response = await api.call(name, { params: { id }, headers });
        const { date: _, ...rest } = Object.fromEntries(response.headers);
        return [response.status, response.bytes.toString(), rest];
      }),
    );
    for (const each of responses) assert.deepEqual(each, responses[0]);
  }
});

test('refuses a visitor for a while after many guessed ids', async () => {
  const { shareId } = await setUp();
  for (let n = 0; n < 21; n++) await api.call('getSharedAlbum', { params: { id: randomUUID() } });
  assert.equal((await api.call('getSharedAlbum', { params: { id: shareId } })).status, 429);
  assert.equal((await api.call('listSharedMediaItems', { params: { id: shareId } })).status, 429);
});
