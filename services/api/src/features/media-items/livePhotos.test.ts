import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { acquireLease } from '../../housekeeping/leases/leases.ts';
import { videoFields, buildLivePhotoHalf, recordMetadata } from '@hearth/testkit/rows/livePhotos.ts';
import { randomUUID } from 'node:crypto';
import { removeMarked } from '../../housekeeping/removal.ts';
import { rollUpAllCounts } from '../../housekeeping/counts.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { deps } = api;
const { db } = deps;
after(() => api.stop());

const setUp = async () => {
  const { id: userId, call } = await api.signUp();
  const lease = (await acquireLease(db, randomUUID(), randomUUID(), 600_000))!;
  return {
    userId,
    call,
    categoryOf: async ({ id }: { readonly id: string }) =>
      (await call('getMediaItem', { params: { id } })).body.mediaItemCategory,
    /** Lists the ids of a category. Asserts that the count is right before and after a roll-up. */
    list: async (category: string) => {
      const early = await call('listMediaItems', { query: { category } });
      await rollUpAllCounts(deps, lease);
      const { body, headers } = await call('listMediaItems', { query: { category } });
      assert.equal(early.headers.get('x-total-count'), headers.get('x-total-count'));
      assert.equal(headers.get('x-total-count'), String(body.length));
      return body.map(({ id }) => id);
    },
    remove: async ({ id }: { readonly id: string }) => {
      await call('deleteMediaItem', { params: { id } });
      await call('deleteMediaItem', { params: { id }, query: { permanent: true } });
      await removeMarked(deps, lease);
    },
  };
};

for (const own of ['DEFAULT', 'PANORAMA'] as const)
  test(`a still is ${own} alone, LIVE with its video, and ${own} again after the video is removed`, async () => {
    const { userId, call, categoryOf, list, remove } = await setUp();
    const still = await buildLivePhotoHalf(db, userId, 'LIVE-1');
    const found = { content_identifier: 'LIVE-1', category: own, unpaired_category: own };
    await recordMetadata(db, still.id, found);
    assert.equal(await categoryOf(still), own);
    assert.deepEqual([await list('LIVE'), await list(own)], [[], [still.id]]);

    const first = await buildLivePhotoHalf(db, userId, 'LIVE-1', videoFields);
    assert.equal(await categoryOf(still), 'LIVE');
    assert.deepEqual([await list('LIVE'), await list(own)], [[still.id], []]);
    await recordMetadata(db, still.id, found);
    assert.equal(await categoryOf(still), 'LIVE', 'also after its metadata is read again');

    await call('deleteMediaItem', { params: { id: first.id } });
    const trashed = (await call('getMediaItem', { params: { id: first.id } })).body.deleted;
    assert.equal(await categoryOf(still), trashed ? own : 'LIVE');
    await remove(first);
    assert.equal(await categoryOf(still), own);
    assert.deepEqual([await list('LIVE'), await list(own)], [[], [still.id]]);

    await buildLivePhotoHalf(db, userId, 'LIVE-1', videoFields);
    assert.equal(await categoryOf(still), 'LIVE');
    assert.deepEqual(await list('LIVE'), [still.id]);
  });

test('lists a video with its own category once its photo is removed', async () => {
  const { userId, categoryOf, list, remove } = await setUp();
  const video = await buildLivePhotoHalf(db, userId, 'LIVE-2', videoFields);
  assert.equal(await categoryOf(video), 'DEFAULT');
  const still = await buildLivePhotoHalf(db, userId, 'LIVE-2');
  const copy = await buildLivePhotoHalf(db, userId, 'LIVE-2');
  assert.deepEqual((await list('LIVE')).toSorted(), [still.id, copy.id].toSorted());
  await remove(still);
  assert.deepEqual(await list('LIVE'), [copy.id]);
  assert.equal(await categoryOf(video), 'LIVE');
});

test('a motion photo keeps its category without a second file', async () => {
  const { userId, categoryOf, list } = await setUp();
  const photo = await buildLivePhotoHalf(db, userId, null);
  await recordMetadata(db, photo.id, { content_identifier: null, category: 'MOTION', unpaired_category: 'MOTION' });
  await buildLivePhotoHalf(db, userId, 'LIVE-3', videoFields);
  assert.equal(await categoryOf(photo), 'MOTION');
  assert.deepEqual(await list('MOTION'), [photo.id]);
});
