import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { FileSystem } from '@hearth/core/disk/fileSystem.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { isOnCluster } from '@hearth/testkit/run/backEnds.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { fileUpload, multipartType, partHead } from '@hearth/testkit/api/multipart.ts';
import { startSocketPatch } from '@hearth/testkit/api/socketPatch.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';
import { startUpload, getUploadStatus, patch, tus } from '@hearth/testkit/api/uploads.ts';

const MiB = 2 ** 20;
const reserveBytes = 100 * MiB;

/** The disk as reported to the API. */
let readDisk = async (): Promise<FileSystem> => disk(2 ** 39);
const disk = (freeBytes: number): FileSystem => ({ totalBytes: 2 ** 40, freeBytes });
const setFreeBytes = (freeBytes: number): void => {
  readDisk = async () => disk(freeBytes);
};

const api = await startTestApi({ config: { diskReserveBytes: reserveBytes }, readDisk: () => readDisk() });
after(() => api.stop());
// With S3 the API writes no files, so its own disk cannot fill up.
const options = { skip: isOnCluster && 'the API writes to no disk' };

const largePhoto = async (bytes: number): Promise<Buffer> => {
  const photo = await makeNextPhoto();
  return Buffer.concat([photo, randomBytes(bytes - photo.length)]);
};

/** Sums up the bytes of all files in the store, including unfinished ones. Repeats if a file was moved meanwhile. */
const measureStore = async (): Promise<number> => {
  const root = join(api.deps.config.dataDirectory, 'objects');
  for (let files = await readdir(root, { recursive: true }); ;) {
    const sizes = await Promise.all(files.map((file) => stat(join(root, file)).catch(() => undefined)));
    const after = await readdir(root, { recursive: true });
    if (isDeepStrictEqual(files.toSorted(), after.toSorted()) && !sizes.includes(undefined)) {
      return sizes.reduce((sum, size) => sum + (size?.isFile() ? size.size : 0), 0);
    }
    files = after;
  }
};

test('rejects uploads below the reserve before storing a byte, while everything else works', options, async () => {
  setFreeBytes(2 ** 39);
  const { call, username, password, uploadPhoto } = await api.signUp();
  const [kept, removed, uploadId] = [await uploadPhoto(), await uploadPhoto(), await startUpload(call, 1_000)];
  await api.deps.disk.check();
  assert.deepEqual((await api.call('getReadiness')).body, { status: 'ok' });

  setFreeBytes(reserveBytes - 1);
  await api.deps.disk.check();
  assert.deepEqual((await api.call('getReadiness')).body, { status: 'ok', degraded: ['disk'] });
  assert.deepEqual(
    (await metrics.diskFreeBytes.get()).values.map(({ value, labels }) => [labels.place, value]),
    [['objects', reserveBytes - 1]],
  );
  const before = await measureStore();
  const refused = [
    await call('uploadMediaItem', fileUpload(await makeNextPhoto())),
    await call('createUpload', { headers: { ...tus, 'upload-length': '1000' } }),
    await patch(call, uploadId, 0, (await makeNextPhoto()).subarray(0, 500)),
  ];
  for (const response of refused) {
    assert.deepEqual([response.status, response.error.code], [507, 'STORAGE_FULL']);
    assert.match(response.error.message, /Storage is full/);
  }
  assert.equal(await measureStore(), before);
  assert.equal((await getUploadStatus(call, uploadId)).offset, 0);

  assert.equal((await api.call('login', { body: { username, password } })).status, 200);
  assert.equal((await call('createAlbum', { body: { name: 'Summer', coverMediaItemId: kept } })).status, 201);
  assert.equal((await call('deleteMediaItem', { params: { id: removed } })).status, 204);
  assert.equal((await call('deleteMediaItem', { params: { id: removed }, query: { permanent: true } })).status, 204);
  assert.deepEqual(
    (await call('listMediaItems')).body.map(({ id }) => id),
    [kept],
  );
  assert.ok((await measureStore()) < before);

  setFreeBytes(2 ** 39);
  await api.deps.disk.check();
  assert.deepEqual((await api.call('getReadiness')).body, { status: 'ok' });
  await uploadPhoto();
});

test('fifty concurrent uploads with or without a declared size do not cross the reserve', options, async () => {
  const { call, token } = await api.signUp();
  const before = await measureStore();
  const capacityBytes = 80 * MiB;
  let minFree = Infinity;
  readDisk = async () => {
    const free = reserveBytes + capacityBytes - ((await measureStore()) - before);
    minFree = Math.min(minFree, free);
    return disk(free);
  };
  const photos = await Promise.all(Array.from({ length: 50 }, () => largePhoto(4 * MiB)));
  const upload = async (photo: Buffer, index: number): Promise<number> => {
    if (index % 5 > 0) return (await call('uploadMediaItem', fileUpload(photo))).status;
    // Chunked, without a declared length.
    const sent = request(`${api.url}/v1/mediaItems`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${token}`, 'content-type': multipartType, 'transfer-encoding': 'chunked' },
    });
    sent.on('error', () => undefined);
    sent.end(fileUpload(photo).raw);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  };
  const statuses = await Promise.all(photos.map(upload));
  const accepted = statuses.filter((status) => status === 201).length;
  assert.equal(statuses.filter((status) => status === 507).length, 50 - accepted);
  assert.ok(accepted > 0 && accepted <= 20, `${accepted} were accepted`);
  await readDisk();
  assert.ok(minFree >= reserveBytes, `${minFree} bytes were free`);
  // Reserved space is released: another upload that fits is accepted.
  const left = minFree - reserveBytes;
  if (left > 2 * MiB) assert.equal((await call('uploadMediaItem', fileUpload(await largePhoto(MiB)))).status, 201);
});

test('aborts an upload if its space is used up meanwhile, and leaves nothing behind', options, async () => {
  setFreeBytes(2 ** 39);
  const { call, token } = await api.signUp();
  const before = await api.listKeys();
  const photo = await largePhoto(2 * MiB);
  const sent = request(`${api.url}/v1/mediaItems`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${token}`, 'content-type': multipartType, 'content-length': 10 * MiB },
  });
  sent.on('error', () => undefined);
  sent.write(Buffer.concat([Buffer.from(partHead({ name: 'file', filename: 'a.jpg' })), photo]));
  await waitUntil('a part is stored', async () => (await api.listUnfinished()).length > 0);
  setFreeBytes(reserveBytes - 1);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 507);
  sent.destroy();
  await waitUntil('no part is left', async () => (await api.listUnfinished()).length === 0);
  assert.deepEqual(await api.listKeys(), before);
  assert.deepEqual((await call('listMediaItems')).body, []);
});

test('an aborted resumable upload keeps its bytes and resumes when there is space', options, async () => {
  setFreeBytes(2 ** 39);
  const { call, token } = await api.signUp();
  const photo = await largePhoto(14 * MiB);
  const id = await startUpload(call, photo.length);
  const sending = await startSocketPatch({ port: api.port, token }, id, { offset: 0, length: photo.length });
  await sending.send(photo.subarray(0, 10 * MiB));
  // One part of 8 MiB is stored.
  await waitUntil('a part is stored', async () => (await api.listUnfinished()).length > 0);
  setFreeBytes(reserveBytes - 1);
  assert.equal((await sending.readResponse()).status, 507);
  const { offset } = await getUploadStatus(call, id);
  assert.ok(offset > 0 && offset <= 10 * MiB, String(offset));
  setFreeBytes(2 ** 39);
  assert.equal((await patch(call, id, offset, photo.subarray(offset))).status, 204);
  assert.ok((await getUploadStatus(call, id)).mediaItemId);
});
