import assert from 'node:assert/strict';
import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import { expectError, expectStatus } from './expectResponse.ts';
import { timeoutMs, type StoryUser } from './storyUser.ts';
import type { Story } from './story.ts';

const library = '/v1/mediaItems';

const uploadPhoto = async (user: StoryUser, seed: number): Promise<string> => {
  const id = await user.upload({ filename: `IMG_${seed}.jpg`, bytes: Buffer.from(await makeTestPhoto({ seed })) });
  await user.waitUntilReady(id);
  return id;
};

const listIds = async (user: StoryUser, path: string): Promise<string[]> =>
  (await user.requestJson<MediaItem[]>(path)).map(({ id }) => id);

/** Adds items to a collection or removes them. */
const sendChange = async (
  user: StoryUser,
  method: 'POST' | 'DELETE',
  path: string,
  ids: readonly string[],
): Promise<void> => {
  await expectStatus(user.request(path, { method, body: { mediaItems: ids } }), 204, `${method} ${path}`);
};

/** Stories about favourites, hidden items and the trash. */
export const collectionStories: readonly Story[] = [
  {
    name: 'a photo is marked as favourite and unmarked',
    play: async ({ createUser }) => {
      const user = await createUser();
      const id = await uploadPhoto(user, 41);
      await sendChange(user, 'POST', '/v1/favourites', [id]);
      assert.deepEqual(await listIds(user, '/v1/favourites'), [id]);
      assert.equal((await user.requestJson<MediaItem>(`${library}/${id}`)).favourite, true);
      await sendChange(user, 'DELETE', '/v1/favourites', [id]);
      assert.deepEqual(await listIds(user, '/v1/favourites'), []);
    },
  },
  {
    name: 'a hidden photo is only in the list of hidden items',
    play: async ({ createUser }) => {
      const user = await createUser();
      const [visible, hidden] = [await uploadPhoto(user, 42), await uploadPhoto(user, 43)];
      await sendChange(user, 'POST', '/v1/hidden', [hidden]);
      assert.deepEqual(await listIds(user, library), [visible]);
      assert.deepEqual(await listIds(user, '/v1/hidden'), [hidden]);
      await sendChange(user, 'DELETE', '/v1/hidden', [hidden]);
      assert.equal((await listIds(user, library)).length, 2);
    },
  },
  {
    name: 'a photo is trashed, restored, and deleted permanently',
    play: async ({ createUser }) => {
      const user = await createUser();
      const id = await uploadPhoto(user, 44);
      const path = `${library}/${id}`;
      const deletePermanently = () => user.request(`${path}?permanent=true`, { method: 'DELETE' });
      await expectError(deletePermanently(), 400, 'NOT_IN_TRASH', 'permanently deleting an item outside the trash');
      await sendChange(user, 'POST', '/v1/trash', [id]);
      assert.deepEqual([await listIds(user, library), await listIds(user, '/v1/trash')], [[], [id]]);
      await sendChange(user, 'DELETE', '/v1/trash', [id]);
      assert.deepEqual([await listIds(user, library), await listIds(user, '/v1/trash')], [[id], []]);
      const { thumbnailUrl, sourceUrl } = await user.requestJson<MediaItem>(path);
      await expectStatus(user.request(path, { method: 'DELETE' }), 204, 'the trash again');
      await expectStatus(deletePermanently(), 204, 'permanent deletion');
      await expectStatus(user.request(path), 404, 'a permanently deleted item');
      assert.deepEqual(await listIds(user, '/v1/trash'), []);
      for (const link of [thumbnailUrl, sourceUrl]) {
        const isGone = async (): Promise<boolean> => (await user.open(link)).status === 404;
        await waitFor('the file of a deleted photo is gone', isGone, { timeoutMs });
      }
    },
  },
];
