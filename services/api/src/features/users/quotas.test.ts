import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { fileUpload } from '@hearth/testkit/api/multipart.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto, type TestUser } from '@hearth/testkit/api/testUser.ts';
import { startUpload, getUploadStatus, patch, tus } from '@hearth/testkit/api/uploads.ts';

const api = await startTestApi();
after(() => api.stop());
const { callAsAdmin } = api;

const makePhotoOfSize = async (bytes: number): Promise<Buffer> => {
  const photo = await makeNextPhoto();
  return Buffer.concat([photo, Buffer.alloc(bytes - photo.length)]);
};

const setQuota = async ({ id }: TestUser, quotaBytes: number | null): Promise<void> => {
  assert.equal((await callAsAdmin('updateUser', { params: { id }, body: { quotaBytes } })).status, 204);
};

const getUsage = async ({ id }: TestUser): Promise<{ usedBytes: number; quotaBytes?: number | undefined }> => {
  const { usedBytes, quotaBytes } = (await callAsAdmin('getUser', { params: { id } })).body;
  const listed = (await callAsAdmin('listUsers', { query: { limit: 200 } })).body.find((user) => user.id === id);
  assert.deepEqual([listed?.usedBytes, listed?.quotaBytes], [usedBytes, quotaBytes]);
  return { usedBytes, ...(quotaBytes !== undefined && { quotaBytes }) };
};

const upload = ({ call }: TestUser, photo: Buffer) => call('uploadMediaItem', fileUpload(photo));
const createUpload = ({ call }: TestUser, bytes: number) =>
  call('createUpload', { headers: { ...tus, 'upload-length': String(bytes) } });

const assertRefused = ({ status, error }: Awaited<ReturnType<typeof upload | typeof createUpload>>): void => {
  assert.deepEqual([status, error.code], [507, 'QUOTA_EXCEEDED']);
  assert.match(error.message, /empty the trash or ask the administrator/);
};

test('sets a quota on creation, changes and removes it', async () => {
  const user = await api.signUp();
  assert.deepEqual(await getUsage(user), { usedBytes: 0 });
  await setQuota(user, 5_000);
  assert.deepEqual(await getUsage(user), { usedBytes: 0, quotaBytes: 5_000 });
  await callAsAdmin('updateUser', { params: { id: user.id }, body: { name: 'Robin' } });
  assert.deepEqual(await getUsage(user), { usedBytes: 0, quotaBytes: 5_000 });
  await setQuota(user, null);
  assert.deepEqual(await getUsage(user), { usedBytes: 0 });
  const body = { name: 'Robin', username: 'with-quota', password: 'a long password', quotaBytes: 7 };
  assert.equal((await callAsAdmin('createUser', { body })).body.quotaBytes, 7);
  for (const quotaBytes of [-1, 1.5, '7', 2 ** 60]) {
    const { status, error } = await callAsAdmin('updateUser', { params: { id: user.id }, body: { quotaBytes } });
    assert.deepEqual([status, error.errors?.[0]?.path], [400, 'body.quotaBytes']);
  }
});

test('counts originals until they are permanently deleted, and equal bytes once', async () => {
  const user = await api.signUp();
  await setQuota(user, 130_000);
  const photo = await makePhotoOfSize(120_000);
  const { id } = (await upload(user, photo)).body;
  assert.equal((await getUsage(user)).usedBytes, 120_000);
  assert.equal((await upload(user, photo)).status, 200);
  assert.equal((await getUsage(user)).usedBytes, 120_000);

  await user.call('deleteMediaItem', { params: { id } });
  assert.equal((await getUsage(user)).usedBytes, 120_000);
  await user.call('deleteMediaItem', { params: { id }, query: { permanent: true } });
  assert.equal((await getUsage(user)).usedBytes, 0);
});

test('accepts an upload up to the last byte, and rejects one byte more without leaving anything', async () => {
  const user = await api.signUp();
  await setQuota(user, 100_000);
  assertRefused(await upload(user, await makePhotoOfSize(100_001)));
  assertRefused(await upload(user, await makePhotoOfSize(300_000)));
  assertRefused(await createUpload(user, 100_001));
  assert.deepEqual(await getUsage(user), { usedBytes: 0, quotaBytes: 100_000 });
  assert.deepEqual(
    (await api.listKeys()).filter((key) => key.includes(user.id)),
    [],
  );
  assert.equal((await upload(user, await makePhotoOfSize(100_000))).status, 201);
  assertRefused(await upload(user, await makeNextPhoto()));
  assertRefused(await createUpload(user, 1));
  // Existing items stay readable, and accounts without a quota are not affected.
  assert.equal((await user.call('listMediaItems')).body.length, 1);
  assert.equal((await upload(await api.signUp(), await makeNextPhoto())).status, 201);
});

test('reserves the space of a resumable upload, and releases it', async () => {
  const user = await api.signUp();
  await setQuota(user, 100_000);
  const photo = await makePhotoOfSize(60_000);
  const started = await startUpload(user.call, photo.length);
  assertRefused(await createUpload(user, 40_001));
  assertRefused(await upload(user, await makePhotoOfSize(40_001)));
  const other = await startUpload(user.call, 40_000);
  assert.equal((await patch(user.call, started, 0, photo)).status, 204);
  assert.ok((await getUploadStatus(user.call, started)).mediaItemId);
  assertRefused(await upload(user, await makeNextPhoto()));
  assert.equal((await user.call('deleteUpload', { params: { id: other }, headers: tus })).status, 204);
  assert.equal((await upload(user, await makePhotoOfSize(40_000))).status, 201);
  assert.equal((await getUsage(user)).usedBytes, 100_000);
});

test('a lowered quota rejects unfinished uploads until there is space', async () => {
  const user = await api.signUp();
  for (const bytes of [60_000, 9 * 2 ** 20]) {
    const photo = await makePhotoOfSize(bytes);
    const started = await startUpload(user.call, bytes);
    await setQuota(user, 50_000);
    const refused = await patch(user.call, started, 0, photo);
    assert.deepEqual([refused.status, refused.error.code], [507, 'QUOTA_EXCEEDED']);
    await setQuota(user, null);
    const { offset, mediaItemId } = await getUploadStatus(user.call, started);
    if (mediaItemId === undefined) {
      assert.equal((await patch(user.call, started, offset, photo.subarray(offset))).status, 204);
    }
    const id = (await getUploadStatus(user.call, started)).mediaItemId!;
    assert.equal((await user.call('getMediaItem', { params: { id } })).body.sizeBytes, bytes);
  }
  const originals = (await api.listKeys()).filter((key) => key.includes(user.id));
  assert.equal(originals.length, 2, originals.join(' '));
});

test('concurrent uploads never exceed the quota', async () => {
  const user = await api.signUp();
  await setQuota(user, 500_000);
  const photos = await Promise.all(Array.from({ length: 24 }, () => makePhotoOfSize(50_000)));
  const statuses = await Promise.all(
    photos.map(async (photo, index) => {
      if (index % 3 > 0) return (await upload(user, photo)).status;
      const started = await createUpload(user, photo.length);
      if (started.status !== 201) return started.status;
      return (await patch(user.call, started.headers.get('location')!.split('/').at(-1)!, 0, photo)).status;
    }),
  );
  const taken = statuses.filter((status) => status === 201 || status === 204).length;
  assert.equal(taken, 10, statuses.join(' '));
  assert.equal(statuses.filter((status) => status === 507).length, 14);
  assert.equal((await getUsage(user)).usedBytes, 500_000);
  assert.deepEqual(
    await queryOnce(
      api.deps.config.databaseUrl,
      `select sum(size_bytes)::bigint::text as bytes from media_items where user_id = $1`,
      [user.id],
    ),
    [{ bytes: '500000' }],
  );
});

test('accepts the bytes of an existing original over quota, and repairs it', async () => {
  const user = await api.signUp();
  const photo = await makePhotoOfSize(60_000);
  const { id } = (await upload(user, photo)).body;
  await setQuota(user, 50_000);
  const key = originalKey(user.id, id);
  const protocols = {
    multipart: async () => (await upload(user, photo)).status,
    tus: async () => (await patch(user.call, await startUpload(user.call, photo.length), 0, photo)).status,
  };
  for (const [name, send] of Object.entries(protocols)) {
    await api.deps.objects.put(key, Readable.from([photo.subarray(1)], { objectMode: false }));
    assert.equal(await send(), name === 'tus' ? 204 : 200);
    assert.deepEqual(await buffer(await api.deps.objects.open(key)), photo, name);
    assert.equal((await getUsage(user)).usedBytes, 60_000);
  }
});

test('rejects a received file that matches an original only in size, and leaves the space to earlier uploads', async () => {
  const user = await api.signUp();
  await upload(user, await makePhotoOfSize(30_000));
  await setQuota(user, 100_000);
  const [early, late] = [await makePhotoOfSize(70_000), await makePhotoOfSize(30_000)];
  const started = await startUpload(user.call, early.length);
  assertRefused(await upload(user, late));
  const over = await startUpload(user.call, late.length);
  assertRefused(await createUpload(user, late.length));
  const refused = await patch(user.call, over, 0, late);
  assert.deepEqual([refused.status, refused.error.code], [507, 'QUOTA_EXCEEDED']);
  assert.equal((await patch(user.call, started, 0, early)).status, 204);
  assert.equal((await getUsage(user)).usedBytes, 100_000);
  assert.equal((await user.call('deleteUpload', { params: { id: over }, headers: tus })).status, 204);
  assert.equal((await api.listKeys()).filter((key) => key.includes(user.id)).length, 2);
});
