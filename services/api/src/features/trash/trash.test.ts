import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { call, uploadPhoto } = await api.signUp();
after(() => api.stop());

const isDeleted = async (id: string) => (await call('getMediaItem', { params: { id } })).body.deleted;
const trash = async (...mediaItems: string[]) => call('addToTrash', { body: { mediaItems } });
const restore = async (...mediaItems: string[]) => call('restoreFromTrash', { body: { mediaItems } });

test('trashes and restores items repeatedly without other changes', async () => {
  const ids = [await uploadPhoto(), await uploadPhoto()];
  await call('updateMediaItem', { params: { id: ids[0]! }, body: { favourite: true, hidden: true } });
  for (let times = 0; times < 2; times++) assert.equal((await trash(...ids)).status, 204);
  assert.deepEqual(await Promise.all(ids.map(isDeleted)), [true, true]);
  for (let times = 0; times < 2; times++) assert.equal((await restore(...ids)).status, 204);
  const { deleted, favourite, hidden } = (await call('getMediaItem', { params: { id: ids[0]! } })).body;
  assert.deepEqual({ deleted, favourite, hidden }, { deleted: false, favourite: true, hidden: true });
});

test('counts a repeated id once, in any case', async () => {
  const id = await uploadPhoto();
  assert.equal((await trash(id, id, id.toUpperCase())).status, 204);
  assert.equal(await isDeleted(id), true);
});

test('changes nothing and returns 404 if one id is unknown', async () => {
  const id = await uploadPhoto();
  const { status, error } = await trash(id, randomUUID());
  assert.deepEqual([status, error.message], [404, 'media item not found']);
  assert.equal(await isDeleted(id), false);
  await trash(id);
  assert.equal((await restore(randomUUID(), id)).status, 404);
  assert.equal(await isDeleted(id), true);
});

test('accepts 1,000 ids, but not 1,001 or none', async () => {
  const many = Array.from({ length: 1_001 }, () => randomUUID());
  assert.equal((await trash(...many.slice(1))).status, 404);
  assert.equal((await trash(...many)).error.code, 'VALIDATION_FAILED');
  assert.equal((await restore()).error.code, 'VALIDATION_FAILED');
});

test('lists the trash, and handles concurrent requests', async () => {
  const user = await api.signUp();
  const ids = await Promise.all(Array.from({ length: 6 }, () => user.uploadPhoto()));
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      user.call(index % 2 === 0 ? 'addToTrash' : 'restoreFromTrash', {
        body: { mediaItems: index % 3 === 0 ? ids : ids.toReversed() },
      }),
    ),
  );
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([204]));
  await user.call('addToTrash', { body: { mediaItems: ids } });
  const { body, headers } = await user.call('listTrash');
  assert.deepEqual(new Set(body.map(({ id }) => id)), new Set(ids));
  assert.equal(headers.get('x-total-count'), '6');
});
