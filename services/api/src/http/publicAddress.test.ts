import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi, type TestApi } from '@hearth/testkit/api/testApi.ts';

const publicUrl = 'https://photos.example/hearth';

/** Uploads two photos and lists the first page. Returns the addresses in headers and the link of the item. */
const listAddresses = async (api: TestApi) => {
  const user = await api.signUp();
  const id = await user.uploadPhoto();
  await user.uploadPhoto();
  const created = await api.callAsAdmin('createUser', {
    body: { name: 'a', username: `a-${user.username}`, password: 'a password' },
  });
  const page = await user.call('listMediaItems', { query: { limit: 1 } });
  const { sourceUrl } = (await user.call('getMediaItem', { params: { id } })).body;
  return { user: created.headers.get('location'), next: page.headers.get('link'), file: sourceUrl };
};

test('prefixes all addresses with the public URL if configured', async () => {
  const api = await startTestApi({ config: { publicUrl } });
  after(() => api.stop());
  const { user, next, file } = await listAddresses(api);
  assert.match(user ?? '', /^https:\/\/photos\.example\/hearth\/v1\/users\/[0-9a-f-]{36}$/);
  assert.match(next ?? '', /^<https:\/\/photos\.example\/hearth\/v1\/mediaItems\?limit=1&cursor=[\w-]+>; rel="next"$/);
  assert.ok(file.startsWith(`${publicUrl}/v1/files/`), file);
});

test('uses paths on the requested host without a public URL', async () => {
  const api = await startTestApi();
  after(() => api.stop());
  const { user, next, file } = await listAddresses(api);
  assert.match(user ?? '', /^\/v1\/users\/[0-9a-f-]{36}$/);
  assert.match(next ?? '', /^<\/v1\/mediaItems\?limit=1&cursor=[\w-]+>; rel="next"$/);
  assert.ok(file.startsWith('/v1/files/'), file);
});
