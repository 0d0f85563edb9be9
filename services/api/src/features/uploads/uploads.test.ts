import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { acquireLease } from '../../housekeeping/leases/leases.ts';
import { makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { expireUploads } from '../../housekeeping/uploads.ts';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto, type TestUser } from '@hearth/testkit/api/testUser.ts';
import { startUpload, getUploadStatus, patch, tus, uploadType } from '@hearth/testkit/api/uploads.ts';

const api = await startTestApi();
after(() => api.stop());
const { db } = api.deps;
const user = await api.signUp();
const { call } = user;

const MiB = 2 ** 20;
const tomorrow = (): Date => new Date(Date.now() + 86_400_000);

/** A photo followed by this many padding bytes. */
const photoWith = async (bytes: number): Promise<Buffer> =>
  Buffer.concat([await makeNextPhoto(), makeTestBytes(1, bytes)]);

/** Downloads the original of an item. */
const download = async ({ call }: TestUser, id: string): Promise<Buffer> => {
  const { sourceUrl } = (await call('getMediaItem', { params: { id } })).body;
  return (await fetchLink(api.url, sourceUrl)).bytes;
};

/** Asserts that the store holds only these originals of the user. */
const assertStored = async ({ id }: TestUser, items: readonly string[]): Promise<void> => {
  const keys = (await api.listKeys()).filter((key) => key.startsWith(id));
  assert.deepEqual(keys, items.map((item) => `${id}/${item}/original`).toSorted());
  assert.equal(await api.deps.objects.removeUnfinished(tomorrow()), 0);
};

for (const size of [1, 8 * MiB - 1, 8 * MiB, 8 * MiB + 1, 16 * MiB, 20 * MiB + 7]) {
  test(`stores a photo followed by ${size} bytes unchanged, from one request or several`, async () => {
    const other = await api.signUp();
    const cuts = [0, 1, size >> 1, size - 1];
    const items: string[] = [];
    for (const isCut of [false, true]) {
      const file = await photoWith(size);
      const id = await startUpload(other.call, file.length);
      let response = await patch(other.call, id, 0, isCut ? file.subarray(0, 1) : file);
      for (const [i, from] of [...new Set(isCut ? cuts.map((cut) => cut + 1) : [])].entries()) {
        assert.equal(response.headers.get('upload-offset'), String(from));
        assert.equal(response.headers.get('hearth-media-item-id'), null);
        const to = [...new Set(cuts)][i + 1];
        response = await patch(other.call, id, from, file.subarray(from, to === undefined ? file.length : to + 1));
      }
      assert.equal(response.status, 204);
      const mediaItemId = response.headers.get('hearth-media-item-id')!;
      items.push(mediaItemId);
      assert.ok((await download(other, mediaItemId)).equals(file));
      const item = await db
        .selectFrom('media_items')
        .selectAll()
        .where('id', '=', mediaItemId)
        .executeTakeFirstOrThrow();
      assert.deepEqual([item.size_bytes, item.checksum], [file.length, createHash('sha256').update(file).digest()]);
    }
    await assertStored(other, items);
  });
}

test('returns the supported tus version and extensions to anyone', async () => {
  const { headers } = await api.call('getUploadOptions');
  assert.deepEqual(
    ['resumable', 'version', 'extension', 'max-size', 'checksum-algorithm'].map((name) => headers.get(`tus-${name}`)),
    [
      '1.0.0',
      '1.0.0',
      'creation,creation-with-upload,expiration,checksum,termination',
      String(50 * 2 ** 30),
      'sha1,sha256,md5',
    ],
  );
});

test('returns 412 for another or no tus version, and its own version in every response', async () => {
  const id = await startUpload(call, 10);
  for (const version of ['0.2.2', '1.0', '', undefined]) {
    const headers: Record<string, string> = version === undefined ? {} : { 'tus-resumable': version };
    for (const response of [
      await call('createUpload', { headers: { ...headers, 'upload-length': '1' } }),
      await call('getUpload', { params: { id }, headers }),
      await call('continueUpload', { params: { id }, headers: { ...headers, 'content-type': uploadType }, raw: 'x' }),
      await call('deleteUpload', { params: { id }, headers }),
    ]) {
      assert.equal(response.status, 412);
      assert.equal(response.headers.get('tus-version'), '1.0.0');
      assert.equal(response.headers.get('tus-resumable'), '1.0.0');
    }
  }
  const refused = await api.call('createUpload', { headers: { 'upload-length': '1' } });
  assert.deepEqual([refused.status, refused.headers.get('tus-resumable')], [401, '1.0.0']);
});

test('returns 404 for an upload that is unknown or belongs to another user', async () => {
  const [other, file] = [await api.signUp(), await makeNextPhoto()];
  const id = await startUpload(call, file.length);
  await patch(call, id, 0, file.subarray(0, 10));
  for (const unknown of [id, 'c0ffee00-0000-4000-8000-000000000000']) {
    assert.equal((await getUploadStatus(other.call, unknown)).status, 404);
    assert.equal((await patch(other.call, unknown, 10, file.subarray(10))).error.message, 'upload not found');
    const removed = await other.call('deleteUpload', { params: { id: unknown }, headers: tus });
    assert.equal(removed.error.message, 'upload not found');
  }
  assert.equal((await patch(call, id, 10, file.subarray(10))).status, 204);
});

test('rejects bytes with a wrong type, offset or size without losing anything', async () => {
  const file = await photoWith(1000);
  const id = await startUpload(call, file.length);
  await patch(call, id, 0, file.subarray(0, 500));
  const rest = file.subarray(500);
  for (const type of ['application/octet-stream', 'text/plain', '']) {
    const response = await patch(call, id, 500, rest, { 'content-type': type });
    assert.equal(response.error.code, 'UNSUPPORTED_MEDIA_TYPE');
  }
  for (const offset of [0, 499, 501, file.length]) {
    const response = await patch(call, id, offset, offset === file.length ? Buffer.alloc(0) : rest.subarray(0, 5));
    assert.deepEqual([response.error.code, response.status], ['WRONG_OFFSET', 409]);
  }
  assert.equal((await patch(call, id, NaN, rest)).error.code, 'VALIDATION_FAILED');
  const tooLong = Buffer.concat([rest, Buffer.alloc(1)]);
  assert.equal((await patch(call, id, 500, tooLong)).error.code, 'PAYLOAD_TOO_LARGE');
  const chunked = await fetch(`${api.url}/v1/uploads/${id}`, {
    method: 'PATCH',
    duplex: 'half',
    headers: { ...tus, 'content-type': uploadType, 'upload-offset': '500', authorization: `Bearer ${user.token}` },
    body: new Blob([tooLong]).stream(),
  });
  assert.equal(chunked.status, 413);
  const response = await patch(call, id, 500, rest);
  assert.ok((await download(user, response.headers.get('hearth-media-item-id')!)).equals(file));
});

test('rejects a file that is not a photo or video as early as possible, and keeps nothing', async () => {
  const other = await api.signUp();
  const text = Buffer.alloc(20 * MiB, 'I am a photo. ');
  const small = await startUpload(other.call, 1000);
  const large = await startUpload(other.call, text.length);
  assert.equal((await patch(other.call, small, 0, text.subarray(0, 999))).status, 204);
  assert.equal((await patch(other.call, small, 999, text.subarray(999, 1000))).error.code, 'NOT_MEDIA');
  assert.equal((await patch(other.call, large, 0, text.subarray(0, 60_000))).status, 204);
  assert.equal((await patch(other.call, large, 60_000, text.subarray(60_000, 70_000))).error.code, 'NOT_MEDIA');
  for (const id of [small, large]) assert.equal((await getUploadStatus(other.call, id)).status, 404);
  const whole = await startUpload(other.call, text.length);
  assert.equal((await patch(other.call, whole, 0, text)).error.code, 'NOT_MEDIA');
  const checked = await startUpload(other.call, text.length);
  const checksum = `md5 ${createHash('md5').update(text).digest('base64')}`;
  assert.equal((await patch(other.call, checked, 0, text, { 'upload-checksum': checksum })).error.code, 'NOT_MEDIA');
  await assertStored(other, []);
});

for (const algorithm of ['sha1', 'sha256', 'md5']) {
  test(`keeps all bytes of a request with a matching ${algorithm} checksum, and none otherwise`, async () => {
    const other = await api.signUp();
    const file = await photoWith(17 * MiB);
    const id = await startUpload(other.call, file.length);
    const send = async (from: number, to: number, sent = file.subarray(from, to)) => {
      const digest = createHash(algorithm).update(file.subarray(from, to)).digest('base64');
      return patch(other.call, id, from, sent, { 'upload-checksum': `${algorithm} ${digest}` });
    };
    for (const [from, to] of [
      [0, 100],
      [100, 9 * MiB],
      [9 * MiB, file.length],
    ] as const) {
      const wrong = await send(from, to, makeTestBytes(7, to - from));
      assert.deepEqual([wrong.status, wrong.error.code], [460, 'CHECKSUM_MISMATCH']);
      assert.equal((await getUploadStatus(other.call, id)).offset, from);
      assert.equal((await send(from, to)).headers.get('upload-offset'), String(to));
    }
    const { mediaItemId } = await getUploadStatus(other.call, id);
    assert.ok((await download(other, mediaItemId!)).equals(file));
    await assertStored(other, [mediaItemId!]);
  });
}

test('rejects a malformed checksum', async () => {
  const id = await startUpload(call, 10);
  for (const checksum of ['sha512 AAAA', 'sha1', 'sha1 AAAA', 'sha1 %%%', 'crc32 AAAA', '']) {
    const { error } = await patch(call, id, 0, Buffer.alloc(1), { 'upload-checksum': checksum });
    assert.deepEqual([error.code, error.errors?.[0]?.path], ['VALIDATION_FAILED', 'headers.Upload-Checksum'], checksum);
  }
});

test('returns the existing item for the same bytes, restores it from the trash and keeps nothing new', async () => {
  const other = await api.signUp();
  const items: string[] = [];
  for (const size of [0, 9 * MiB]) {
    const file = await photoWith(size);
    const upload = async (): Promise<string> => {
      const id = await startUpload(other.call, file.length);
      return (await patch(other.call, id, 0, file)).headers.get('hearth-media-item-id')!;
    };
    const first = await upload();
    assert.equal(await upload(), first);
    await other.call('deleteMediaItem', { params: { id: first } });
    assert.equal(await upload(), first);
    assert.equal((await other.call('getMediaItem', { params: { id: first } })).body.deleted, false);
    items.push(first);
  }
  await assertStored(other, items);
});

test('repeats the result of an upload whose response was lost', async () => {
  for (const size of [0, 9 * MiB]) {
    const file = await photoWith(size);
    const id = await startUpload(call, file.length);
    const mediaItemId = (await patch(call, id, 0, file)).headers.get('hearth-media-item-id');
    const { offset, mediaItemId: repeated } = await getUploadStatus(call, id);
    assert.deepEqual([offset, repeated], [file.length, mediaItemId]);
    const again = await patch(call, id, file.length, Buffer.alloc(0));
    assert.deepEqual([again.status, again.headers.get('hearth-media-item-id')], [204, mediaItemId]);
    assert.equal((await patch(call, id, 0, file)).error.code, 'WRONG_OFFSET');
  }
});

test('deletes a cancelled upload completely, but keeps the item of a finished one', async () => {
  const other = await api.signUp();
  const file = await photoWith(17 * MiB);
  const finished = await startUpload(other.call, file.length);
  const mediaItemId = (await patch(other.call, finished, 0, file)).headers.get('hearth-media-item-id')!;
  const unfinished = await startUpload(other.call, file.length);
  await patch(other.call, unfinished, 0, file.subarray(0, 9 * MiB));
  for (const id of [finished, unfinished]) {
    assert.equal((await other.call('deleteUpload', { params: { id }, headers: tus })).status, 204);
    assert.equal((await getUploadStatus(other.call, id)).status, 404);
    assert.equal((await other.call('deleteUpload', { params: { id }, headers: tus })).status, 404);
  }
  await assertStored(other, [mediaItemId]);
});

test('accepts a method override in POST requests', async () => {
  const file = await makeNextPhoto();
  const id = await startUpload(call, file.length);
  const send = async (override: string, headers: Record<string, string>, body?: Buffer<ArrayBuffer>) =>
    fetch(`${api.url}/v1/uploads/${id}`, {
      method: 'POST',
      headers: { ...tus, authorization: `Bearer ${user.token}`, 'x-http-method-override': override, ...headers },
      ...(body !== undefined && { body }),
    });
  const headers = { 'content-type': uploadType, 'upload-offset': '0' };
  assert.equal((await send('PATCH', headers, Buffer.from(file.subarray(0, 10)))).status, 204);
  assert.equal((await send('GET', {})).status, 405);
  assert.equal((await send('DELETE', {})).status, 204);
  assert.equal((await getUploadStatus(call, id)).status, 404);
});

test('deletes an upload with all its bytes after seven days of inactivity', async () => {
  const other = await api.signUp();
  const file = await photoWith(17 * MiB);
  const [old, young] = [await startUpload(other.call, file.length), await startUpload(other.call, file.length)];
  for (const id of [old, young]) await patch(other.call, id, 0, file.subarray(0, 9 * MiB));
  const expires = Date.parse((await getUploadStatus(other.call, old)).headers.get('upload-expires')!);
  assert.ok(Math.abs(expires - Date.now() - 7 * 86_400_000) < 60_000);
  await db
    .updateTable('uploads')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', old)
    .execute();
  assert.equal((await getUploadStatus(other.call, old)).status, 410);
  assert.equal((await patch(other.call, old, 9 * MiB, file.subarray(9 * MiB))).error.code, 'UPLOAD_GONE');
  assert.equal((await other.call('deleteUpload', { params: { id: old }, headers: tus })).error.code, 'UPLOAD_GONE');
  await expireUploads(api.deps, (await acquireLease(db, 'test', other.id, 60_000))!);
  assert.equal((await getUploadStatus(other.call, old)).status, 404);
  const response = await patch(other.call, young, 9 * MiB, file.subarray(9 * MiB));
  await assertStored(other, [response.headers.get('hearth-media-item-id')!]);
});
