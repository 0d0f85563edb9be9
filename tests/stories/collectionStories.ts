import assert from 'node:assert/strict';
import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { until } from '@hearth/testkit/hearth/wait.ts';
import { expectError, expectStatus } from './expectAnswer.ts';
import { patienceMs, type Person } from './person.ts';
import type { Story } from './story.ts';

const library = '/v1/mediaItems';

const uploadPhoto = async (person: Person, seed: number): Promise<string> => {
  const id = await person.upload({ filename: `IMG_${seed}.jpg`, bytes: Buffer.from(await makeTestPhoto({ seed })) });
  await person.untilReady(id);
  return id;
};

const listIds = async (person: Person, path: string): Promise<string[]> =>
  (await person.askForJson<MediaItem[]>(path)).map(({ id }) => id);

/** Adds items to a collection or removes them. */
const change = async (
  person: Person,
  method: 'POST' | 'DELETE',
  path: string,
  ids: readonly string[],
): Promise<void> => {
  await expectStatus(person.ask(path, { method, body: { mediaItems: ids } }), 204, `${method} ${path}`);
};

/** Stories about favourites, hidden items and the trash. */
export const collectionStories: readonly Story[] = [
  {
    name: 'a photo becomes a favourite and none any more',
    play: async ({ newPerson }) => {
      const person = await newPerson();
      const id = await uploadPhoto(person, 41);
      await change(person, 'POST', '/v1/favourites', [id]);
      assert.deepEqual(await listIds(person, '/v1/favourites'), [id]);
      assert.equal((await person.askForJson<MediaItem>(`${library}/${id}`)).favourite, true);
      await change(person, 'DELETE', '/v1/favourites', [id]);
      assert.deepEqual(await listIds(person, '/v1/favourites'), []);
    },
  },
  {
    name: 'a hidden photo is in no list but its own',
    play: async ({ newPerson }) => {
      const person = await newPerson();
      const [seen, hidden] = [await uploadPhoto(person, 42), await uploadPhoto(person, 43)];
      await change(person, 'POST', '/v1/hidden', [hidden]);
      assert.deepEqual(await listIds(person, library), [seen]);
      assert.deepEqual(await listIds(person, '/v1/hidden'), [hidden]);
      await change(person, 'DELETE', '/v1/hidden', [hidden]);
      assert.equal((await listIds(person, library)).length, 2);
    },
  },
  {
    name: 'a photo goes into the trash and comes back, and is gone once it is removed for good',
    play: async ({ newPerson }) => {
      const person = await newPerson();
      const id = await uploadPhoto(person, 44);
      const path = `${library}/${id}`;
      const forGood = () => person.ask(`${path}?permanent=true`, { method: 'DELETE' });
      await expectError(forGood(), 400, 'NOT_IN_TRASH', 'removing for good what is not in the trash');
      await change(person, 'POST', '/v1/trash', [id]);
      assert.deepEqual([await listIds(person, library), await listIds(person, '/v1/trash')], [[], [id]]);
      await change(person, 'DELETE', '/v1/trash', [id]);
      assert.deepEqual([await listIds(person, library), await listIds(person, '/v1/trash')], [[id], []]);
      const { thumbnailUrl, sourceUrl } = await person.askForJson<MediaItem>(path);
      await expectStatus(person.ask(path, { method: 'DELETE' }), 204, 'the trash again');
      await expectStatus(forGood(), 204, 'removing for good');
      await expectStatus(person.ask(path), 404, 'what was removed for good');
      assert.deepEqual(await listIds(person, '/v1/trash'), []);
      for (const link of [thumbnailUrl, sourceUrl]) {
        const isGone = async (): Promise<boolean> => (await person.open(link)).status === 404;
        await until('the bytes of a removed photo are gone', isGone, { patienceMs });
      }
    },
  },
];
