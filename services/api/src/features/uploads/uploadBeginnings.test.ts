import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';
import { startUpload, getUploadStatus, encodeMetadata, patch, tus, uploadType } from '@hearth/testkit/api/uploads.ts';

const api = await startTestApi();
after(() => api.stop());
const { db } = api.deps;
const { call } = await api.signUp();

const MiB = 2 ** 20;

test('applies the metadata of a new upload like in a single-request upload', async () => {
  const file = await makeNextPhoto();
  const metadata = encodeMetadata({
    filename: '../Am Meer 🏖️.jpg',
    filetype: 'image/png',
    creationTime: '2001-02-03T04:05:06+05:30',
    description: 'Zwei Zeilen\nüber nichts',
    relativePath: 'a/b',
  });
  const id = await startUpload(call, file.length, { 'upload-metadata': `${metadata},isLive` });
  assert.equal((await getUploadStatus(call, id)).headers.get('upload-metadata'), `${metadata},isLive`);
  await patch(call, id, 0, file);
  const { mediaItemId } = await getUploadStatus(call, id);
  const item = (await call('getMediaItem', { params: { id: mediaItemId! } })).body;
  assert.deepEqual(
    [item.filename, item.description, item.creationTime, item.mimeType],
    ['Am Meer 🏖️.jpg', 'Zwei Zeilen\nüber nichts', '2001-02-02T22:35:06.000Z', 'image/jpeg'],
  );
});

for (const [what, headers, path] of [
  ['without a length', { 'upload-length': undefined }, 'headers.Upload-Length'],
  ['with a length that is not a number', { 'upload-length': '1e3' }, 'headers.Upload-Length'],
  ['with a negative length', { 'upload-length': '-1' }, 'headers.Upload-Length'],
  ['with a deferred length', { 'upload-length': undefined, 'upload-defer-length': '1' }, 'headers.Upload-Length'],
  ['with a length and a deferred length', { 'upload-defer-length': '1' }, 'headers.Upload-Defer-Length'],
  ['in parts to concatenate', { 'upload-concat': 'partial' }, 'headers.Upload-Concat'],
  ['with metadata that is not a list of pairs', { 'upload-metadata': 'a b c' }, 'headers.Upload-Metadata'],
  ['with metadata that is not in base64', { 'upload-metadata': 'filename %%%' }, 'headers.Upload-Metadata'],
  ['with a filename that is not UTF-8', { 'upload-metadata': 'filename /w==' }, 'headers.Upload-Metadata.filename'],
  ['with two filenames', { 'upload-metadata': 'filename YQ==,filename YQ==' }, 'headers.Upload-Metadata.filename'],
  [
    'with a wrong time',
    { 'upload-metadata': encodeMetadata({ creationTime: 'then' }) },
    'headers.Upload-Metadata.creationTime',
  ],
  [
    'with a description that is too long',
    { 'upload-metadata': encodeMetadata({ description: 'x'.repeat(4_097) }) },
    'headers.Upload-Metadata.description',
  ],
] as const) {
  test(`rejects an upload ${what}`, async () => {
    const sentHeaders = Object.entries({ ...tus, 'upload-length': '10', ...headers }).filter(
      ([, value]) => value !== undefined,
    );
    const { status, error } = await call('createUpload', {
      headers: Object.fromEntries(sentHeaders) as Record<string, string>,
    });
    assert.deepEqual(
      [status, error.code, [...new Set(error.errors?.map((each) => each.path))]],
      [400, 'VALIDATION_FAILED', [path]],
    );
  });
}

test('rejects an empty upload or one over the size limit before it starts', async () => {
  const createUpload = async (length: number) =>
    (await call('createUpload', { headers: { ...tus, 'upload-length': String(length) } })).error.code;
  assert.equal(await createUpload(0), 'NOT_MEDIA');
  assert.equal(await createUpload(50 * 2 ** 30 + 1), 'PAYLOAD_TOO_LARGE');
  assert.ok(await startUpload(call, 50 * 2 ** 30));
});

test('limits unfinished uploads to 1,000 per user, even with concurrent starts', async () => {
  const other = await api.signUp();
  const first = await startUpload(other.call, 10);
  const rows = Array.from({ length: 995 }, (_, i) => ({
    id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    user_id: other.id,
    metadata: '',
    length_bytes: 10,
    part_bytes: 10,
    expires_at: new Date(Date.now() + 86_400_000),
  }));
  await db.insertInto('uploads').values(rows).execute();
  const headers = { ...tus, 'upload-length': '10' };
  const responses = await Promise.all(Array.from({ length: 9 }, () => other.call('createUpload', { headers })));
  assert.equal(responses.filter(({ status }) => status === 201).length, 4);
  assert.equal(responses.filter(({ status }) => status === 429).length, 5);
  assert.equal(responses.find(({ status }) => status === 429)?.headers.get('retry-after'), '3600');
  await other.call('deleteUpload', { params: { id: first }, headers: tus });
  assert.ok(await startUpload(other.call, 10));
});

test('starts an upload with its first or all bytes, and leaves none if these are rejected', async () => {
  const other = await api.signUp();
  const file = Buffer.concat([await makeNextPhoto(), makeTestBytes(1, 9 * MiB)]);
  const createUpload = async (bytes: Buffer, headers: Record<string, string> = {}) =>
    other.call('createUpload', {
      headers: { ...tus, 'upload-length': String(file.length), 'content-type': uploadType, ...headers },
      raw: bytes,
    });
  const part = await createUpload(file.subarray(0, 1000));
  assert.deepEqual([part.status, part.headers.get('upload-offset')], [201, '1000']);
  const whole = await createUpload(file);
  assert.deepEqual([whole.status, whole.headers.get('upload-offset')], [201, String(file.length)]);
  const id = whole.headers.get('hearth-media-item-id')!;
  const { sourceUrl } = (await other.call('getMediaItem', { params: { id } })).body;
  assert.ok((await fetchLink(api.url, sourceUrl)).bytes.equals(file));
  assert.equal((await createUpload(makeTestBytes(3, 100_000))).error.code, 'NOT_MEDIA');
  assert.equal((await createUpload(Buffer.concat([file, file]))).error.code, 'PAYLOAD_TOO_LARGE');
  // Also an upload that is complete in a single chunk.
  for (const bytes of [file, file.subarray(0, 10)]) {
    assert.equal((await createUpload(bytes, { 'content-type': 'image/jpeg' })).error.code, 'UNSUPPORTED_MEDIA_TYPE');
  }
  const checksum = `sha1 ${createHash('sha1').update('other').digest('base64')}`;
  assert.equal((await createUpload(file, { 'upload-checksum': checksum })).error.code, 'CHECKSUM_MISMATCH');
  const remaining = await db.selectFrom('uploads').select('id').where('user_id', '=', other.id).execute();
  assert.equal(remaining.length, 2);
});

test('rejects another tus version', async () => {
  const { error } = await call('createUpload', { headers: { 'upload-length': '1' } });
  assert.equal(error.code, 'TUS_VERSION_UNSUPPORTED');
});
