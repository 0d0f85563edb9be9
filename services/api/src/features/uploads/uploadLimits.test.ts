import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { boundary, multipart, multipartType } from '@hearth/testkit/api/multipart.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';

const maxUploadBytes = 1_000_000;
let freeBytes = 2 ** 39;
const api = await startTestApi({
  config: { maxUploadBytes, diskReserveBytes: 1 },
  readDisk: async () => ({ totalBytes: 2 ** 40, freeBytes }),
});
const user = await api.signUp();
after(() => api.stop());

/** Sends only the headers of an upload and returns the status. */
const announce = async (path: string, headers: Record<string, string>): Promise<number | undefined> => {
  const sent = request(`${api.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, ...headers },
  });
  sent.flushHeaders();
  const status = await new Promise<number | undefined>((resolve, reject) => {
    sent.on('response', (response) => resolve(response.statusCode));
    sent.on('error', reject);
  });
  sent.destroy();
  return status;
};

for (const [disk, free, statusWithinLimit] of [
  ['an empty disk', 2 ** 39, 201],
  ['a full disk', 0, 507],
] as const)
  test(`rejects a declared length above the limit with 413 on ${disk}`, async () => {
    freeBytes = free;
    const tus = { 'tus-resumable': '1.0.0', 'content-length': '0' };
    assert.equal(await announce('/v1/uploads', { ...tus, 'upload-length': String(maxUploadBytes + 1) }), 413);
    assert.equal(await announce('/v1/uploads', { ...tus, 'upload-length': String(maxUploadBytes) }), statusWithinLimit);
    const form = { 'content-type': multipartType, 'content-length': String(maxUploadBytes + 65_537) };
    assert.equal(await announce('/v1/mediaItems', form), 413);
    freeBytes = 2 ** 39;
  });

for (const filename of [undefined, ''])
  test(`a file with the filename ${JSON.stringify(filename)} is named after its type`, async () => {
    const part = { name: 'file', ...(filename !== undefined && { filename }), content: await makeNextPhoto() };
    const parts = [{ name: 'description', content: 'at sea' }, part];
    const { status, body } = await user.call('uploadMediaItem', multipart(parts));
    assert.equal(status, 201);
    const item = (await user.call('getMediaItem', { params: { id: body.id } })).body;
    assert.deepEqual([item.filename, item.description, item.mimeType], ['upload.jpg', 'at sea', 'image/jpeg']);
  });

for (const type of ['multipart/form-data; boundary=', 'multipart/form-data; boundary=""', 'multipart/form-data'])
  test(`rejects a body of the type ${type} with the error path body`, async () => {
    const { raw } = multipart([{ name: 'file', filename: 'a.jpg', content: await makeNextPhoto() }]);
    for (const bytes of [raw, raw.toString('latin1').replaceAll(boundary, '')]) {
      const response = await user.call('uploadMediaItem', { headers: { 'content-type': type }, raw: bytes });
      assert.equal(response.status, 400);
      assert.deepEqual(
        response.error.errors?.map(({ path }) => path),
        ['body'],
      );
    }
  });
