import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi, type TestApi } from '@hearth/testkit/api/testApi.ts';

const publicUrl = 'https://photos.example/hearth';

/** Two uploads and the first page of one item: the addresses in the headers, and the link of the item. */
const addressesOf = async (api: TestApi) => {
  const user = await api.signUp();
  const id = await user.uploadPhoto();
  await user.uploadPhoto();
  const made = await api.callAsAdmin('createUser', {
    body: { name: 'a', username: `a-${user.username}`, password: 'a password' },
  });
  const page = await user.call('listMediaItems', { query: { limit: 1 } });
  const { sourceUrl } = (await user.call('getMediaItem', { params: { id } })).body;
  return { user: made.headers.get('location'), next: page.headers.get('link'), file: sourceUrl };
};

test('where the public address is known, all addresses begin with it', async () => {
  const api = await startTestApi({ config: { publicUrl } });
  after(() => api.stop());
  const { user, next, file } = await addressesOf(api);
  assert.match(user ?? '', /^https:\/\/photos\.example\/hearth\/v1\/users\/[0-9a-f-]{36}$/);
  assert.match(next ?? '', /^<https:\/\/photos\.example\/hearth\/v1\/mediaItems\?limit=1&cursor=[\w-]+>; rel="next"$/);
  assert.ok(file.startsWith(`${publicUrl}/v1/files/`), file);
});

test('elsewhere they are paths on the host that was asked', async () => {
  const api = await startTestApi();
  after(() => api.stop());
  const { user, next, file } = await addressesOf(api);
  assert.match(user ?? '', /^\/v1\/users\/[0-9a-f-]{36}$/);
  assert.match(next ?? '', /^<\/v1\/mediaItems\?limit=1&cursor=[\w-]+>; rel="next"$/);
  assert.ok(file.startsWith('/v1/files/'), file);
});
