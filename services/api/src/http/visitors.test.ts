import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { anyLibrary, makeLibrary, type LibraryAction } from '@hearth/testkit/api/anyLibrary.ts';
import { createClient, fetchLink, type ApiResponse, type Client } from '@hearth/testkit/api/client.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import type { TestUser } from '@hearth/testkit/api/testUser.ts';

/*
 * A library with one shared and one private album: any visitor with any id sees only what the shared album shows.
 * `isolation.slow.test.ts` checks the same for all routes. This test compares the responses of visitor routes one by one.
 */
const api = await startTestApi();
const { db } = api.deps;
after(() => api.stop());

const visits = ['getSharedAlbum', 'listSharedMediaItems'] as const;

/** Everything in a response that a visitor could compare. */
const summarise = ({ status, headers, bytes }: ApiResponse<unknown>) => {
  const { date: _, ...rest } = Object.fromEntries(headers);
  return { status, headers: rest, text: bytes.toString('latin1') };
};

const visit = async (call: Client, name: (typeof visits)[number], id: string) => {
  // Wrong ids count as guesses, and all come from one address.
  await db.deleteFrom('login_attempts').execute();
  return summarise(await call(name, { params: { id }, headers: { 'x-request-id': 'the-same' } }));
};

const follow = async (link: string) =>
  summarise(await fetchLink(api.url, link, { headers: { 'x-request-id': 'the-same' } }));

/** Secrets: a hidden item in the shared album, and a visible item only in the other one. */
const more: readonly LibraryAction[] = [
  { photo: 1, upload: 'multipart', flags: { favourite: false, hidden: true }, deletion: 'none', isRendered: true },
  { photo: 0, upload: 'multipart', flags: { favourite: false, hidden: false }, deletion: 'none', isRendered: true },
];

const isShown = ({ visibility, status }: MediaItemRow): boolean => visibility === 'visible' && status === 'READY';

/** Shares all items of a user, including invisible and unfinished ones, except one that could be shown. */
const makeShared = async ({ id: userId, call }: TestUser) => {
  await db
    .updateTable('media_items')
    .set({ status: 'READY' })
    .where('user_id', '=', userId)
    .where('preview_key', 'is not', null)
    .execute();
  const items = await db.selectFrom('media_items').selectAll().where('user_id', '=', userId).execute();
  const kept = items.filter(isShown).slice(1).at(-1);
  const put = items.filter((item) => item !== kept && item.removing_at === null);
  const { id, shareId } = (await call('createAlbum', { body: { name: 'shown', description: 'to all', shared: true } }))
    .body;
  await call('addToAlbum', { params: { id }, body: { mediaItems: put.map((item) => item.id) } });
  const itemIds = put.filter(isShown).map((item) => item.id);
  return { albumId: id, shareId: shareId!, itemIds, shownIds: itemIds };
};

test('shows a shared album and its items to everyone, and 404 for everything else', async () => {
  const stranger = await api.signUp();
  const property = fc.asyncProperty(anyLibrary, async (actions) => {
    const { user, ids, secrets } = await makeLibrary(api, actions.concat(more));
    const shared = await makeShared(user);
    const callers = [api.call, stranger.call, user.call, createClient(api.url, 'Bearer wrong')];
    for (const call of callers) {
      const responses = await Promise.all(visits.map((name) => call(name, { params: { id: shared.shareId } })));
      for (const { bytes, headers } of responses) {
        const text = `${JSON.stringify([...headers])}${bytes.toString()}`;
        for (const secret of secrets) assert.ok(shared.shownIds.includes(secret) || !text.includes(secret), secret);
      }
      const list = (await call('listSharedMediaItems', { params: { id: shared.shareId }, query: { limit: 200 } })).body;
      assert.deepEqual(list.map(({ id }) => id).toSorted(), shared.itemIds.toSorted());
      const album = (await call('getSharedAlbum', { params: { id: shared.shareId } })).body;
      assert.deepEqual([album.mediaItemsCount, album.coverMediaItemId], [list.length, list[0]?.id]);
      for (const name of visits) {
        const unknownResponse = await visit(call, name, randomUUID());
        assert.equal(unknownResponse.status, 404);
        for (const id of ids) assert.deepEqual(await visit(call, name, id), unknownResponse);
      }
    }

    const [first] = (await api.call('listSharedMediaItems', { params: { id: shared.shareId } })).body;
    const link = first!.thumbnailUrl!;
    assert.equal((await follow(link)).status, 200);
    const unknownResponse = await follow(link.replace(shared.shareId, randomUUID()));
    assert.equal(unknownResponse.status, 404);
    for (const id of ids) {
      for (const known of [shared.shareId, first!.id]) {
        if (id !== known) assert.deepEqual(await follow(link.replace(known, id)), unknownResponse);
      }
    }

    await user.call('updateAlbum', { params: { id: shared.albumId }, body: { shared: false } });
    for (const name of visits)
      assert.deepEqual(await visit(api.call, name, shared.shareId), await visit(api.call, name, randomUUID()));
    assert.deepEqual(await follow(link), unknownResponse);
  });
  await fc.assert(property, { numRuns: runs(3), endOnFailure: true });
});
