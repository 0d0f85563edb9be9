import assert from 'node:assert/strict';
import type { Album } from '@hearth/contract/albums.ts';
import type { SharedAlbum, SharedMediaItem } from '@hearth/contract/sharing.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { send, sendForJson } from '@hearth/testkit/hearth/request.ts';
import { expectError, expectFile, expectStatus } from './expectResponse.ts';
import type { Story } from './story.ts';

/** Fields hidden from visitors. */
const privateFields = [
  'userId',
  'filename',
  'latitude',
  'longitude',
  'cameraMake',
  'cameraModel',
  'description',
] as const;

/** Stories about albums and visitors with a link to one. */
export const sharingStories: readonly Story[] = [
  {
    name: 'creates, fills, shares and unshares an album',
    play: async ({ url, createUser }) => {
      const owner = await createUser();
      const position = { latitude: 47, longitude: 8 };
      const bytes = Buffer.from(await makeTestPhoto({ seed: 51, position }));
      const id = await owner.upload({ filename: 'shared.jpg', bytes });
      await owner.waitUntilReady(id);
      const create = { method: 'POST', body: { name: 'Summer' } };
      const album = await owner.requestJson<Album>('/v1/albums', create);
      const path = `/v1/albums/${album.id}`;
      const fill = { method: 'POST', body: { mediaItems: [id] } };
      await expectStatus(owner.request(`${path}/mediaItems`, fill), 204, 'filling an album');
      const { mediaItemsCount, coverMediaItem } = await owner.requestJson<Album>(path);
      assert.deepEqual([mediaItemsCount, coverMediaItem?.id], [1, id]);
      await expectError(send(url, `/v1/sharing/${album.id}`), 404, 'NOT_FOUND', 'an album that is not shared');
      const share = (shared: boolean) => owner.request(path, { method: 'PUT', body: { shared } });
      await expectStatus(share(true), 204, 'sharing');
      const { shareId } = await owner.requestJson<Album>(path);
      const publicPath = `/v1/sharing/${shareId}`;
      await expectError(send(url, `/v1/sharing/${album.id}`), 404, 'NOT_FOUND', 'the id of the album itself');
      assert.equal((await sendForJson<SharedAlbum>(url, publicPath)).name, 'Summer');
      const items = await sendForJson<SharedMediaItem[]>(url, `${publicPath}/mediaItems`);
      assert.deepEqual(
        items.map((item) => item.id),
        [id],
      );
      const [item] = items;
      for (const field of privateFields) assert.ok(!Object.hasOwn(item!, field), `${field} is exposed to visitors`);
      await expectFile(owner.open(item?.thumbnailUrl), /^image\//, 'the thumbnail for a visitor');
      await expectFile(owner.open(item?.previewUrl), /^image\//, 'the preview for a visitor');
      await expectStatus(share(false), 204, 'unsharing');
      await expectError(send(url, publicPath), 404, 'NOT_FOUND', 'an unshared album');
      assert.equal((await owner.open(item?.previewUrl)).status, 404, 'the visitor’s link still works');
      await expectStatus(share(true), 204, 'sharing again');
      assert.notEqual((await owner.requestJson<Album>(path)).shareId, shareId);
      await expectError(send(url, publicPath), 404, 'NOT_FOUND', 'the link of an earlier share');
      await expectStatus(owner.request(path, { method: 'DELETE' }), 204, 'deleting an album');
      await expectStatus(owner.request(`/v1/mediaItems/${id}`), 200, 'the photo of a deleted album');
    },
  },
];
