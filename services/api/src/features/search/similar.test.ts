import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { writeItemEmbedding } from '@hearth/core/items/itemEmbeddings.ts';
import { makeEmbedding } from '@hearth/testkit/libraries/pictureFeatures.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import type { TestUser } from '@hearth/testkit/api/testUser.ts';

const api = await startTestApi();
after(() => api.stop());

/** Uploads a photo with an embedding at this angle. */
const uploadAtAngle = async (user: TestUser, angle: number): Promise<string> => {
  const id = await user.uploadPhoto();
  await writeItemEmbedding(api.deps.db, { id, user_id: user.id }, 'concept-lite', makeEmbedding(angle));
  return id;
};

const similar = (user: TestUser, id: string, query: Record<string, string> = {}) =>
  user.call('listSimilarMediaItems', { params: { id }, query });

const ids = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

test("returns similar items in pages, most similar first, without the item itself, invisible and other users' items", async () => {
  const [user, other] = [await api.signUp(), await api.signUp()];
  const item = await uploadAtAngle(user, 0);
  const [third, first, second, far] = [
    await uploadAtAngle(user, 0.3),
    await uploadAtAngle(user, 0.1),
    await uploadAtAngle(user, 0.2),
    await uploadAtAngle(user, 0.9),
  ];
  // The cosine at this angle is 0.54, as for unrelated pictures.
  await uploadAtAngle(user, 1);
  const [hidden, trashed] = [await uploadAtAngle(user, 0.01), await uploadAtAngle(user, 0.02)];
  await user.call('addToHidden', { body: { mediaItems: [hidden] } });
  await user.call('addToTrash', { body: { mediaItems: [trashed] } });
  const foreign = await uploadAtAngle(other, 0);
  const { body, headers } = await similar(user, item);
  assert.deepEqual(ids(body), [first, second, third, far]);
  assert.deepEqual(body[0]!.reasons, [{ kind: 'meaning', words: [] }]);
  assert.deepEqual([headers.get('x-search-mode'), headers.get('link')], ['meaning', null]);

  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await similar(user, item, { limit: '3', ...(cursor !== undefined && { cursor }) });
    pages.push(ids(page.body));
    cursor = /cursor=([\w-]+)/.exec(page.headers.get('link') ?? '')?.[1];
  } while (cursor !== undefined);
  assert.deepEqual(pages, [[first, second, third], [far]]);
  assert.deepEqual(ids((await similar(other, foreign)).body), []);
});

test("returns nothing for an item without embedding or an invisible one, and 404 for another user's", async () => {
  const [user, other] = [await api.signUp(), await api.signUp()];
  const assertNoResults = async (id: string) => {
    const { status, body, headers } = await similar(user, id);
    assert.deepEqual([status, body, headers.get('x-search-mode')], [200, [], 'text']);
  };
  await assertNoResults(await user.uploadPhoto());
  const seen = await uploadAtAngle(user, 0);
  await uploadAtAngle(user, 0.1);
  await assertNoResults(await user.uploadPhoto());
  await user.call('addToHidden', { body: { mediaItems: [seen] } });
  await assertNoResults(seen);
  for (const id of [randomUUID(), await uploadAtAngle(other, 0)]) assert.equal((await similar(user, id)).status, 404);
  const wrong = Buffer.from(JSON.stringify(['similar', { likeness: 'x', id: seen }])).toString('base64url');
  assert.equal((await similar(user, seen, { cursor: wrong })).status, 400);
});
