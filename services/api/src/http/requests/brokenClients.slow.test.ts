import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { misbehaveAll } from '@hearth/testkit/proxies/brokenClients.ts';
import { makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { multipart, multipartType } from '@hearth/testkit/api/multipart.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';
import { startUpload, uploadType } from '@hearth/testkit/api/uploads.ts';

const api = await startTestApi();
after(() => api.stop());

test('survives clients that break HTTP, without losing files or uploads', async () => {
  const user = await api.signUp();
  const photo = Buffer.concat([await makeNextPhoto(), makeTestBytes(1, 3_000_000)]);
  const parts = [{ name: 'file', filename: 'photo.jpg', content: photo }];
  const { id: item } = (await user.call('uploadMediaItem', multipart(parts))).body;
  const { sourceUrl } = (await user.call('getMediaItem', { params: { id: item } })).body;
  const id = await startUpload(user.call, 1_000);
  const common = `Host: x\r\nAuthorization: Bearer ${user.token}\r\n`;
  await misbehaveAll(api.server, [
    `GET /version HTTP/1.1\r\n${common}`,
    `GET ${sourceUrl} HTTP/1.1\r\n${common}`,
    `GET /v1/events HTTP/1.1\r\n${common}`,
    `POST /v1/auth/login HTTP/1.1\r\n${common}Content-Type: application/json\r\n`,
    `POST /v1/mediaItems HTTP/1.1\r\n${common}Content-Type: ${multipartType}\r\n`,
    `PATCH /v1/uploads/${id} HTTP/1.1\r\n${common}Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: ${uploadType}\r\n`,
  ]);
  assert.ok((await fetchLink(api.url, sourceUrl)).bytes.equals(photo));
  assert.equal((await user.call('listMediaItems', {})).body.length, 1);
  assert.equal((await api.call('getVersion')).status, 200);
});
