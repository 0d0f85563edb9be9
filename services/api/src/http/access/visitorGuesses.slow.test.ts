import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { fetchLink, type Client } from '@hearth/testkit/api/client.ts';
import { renderItem } from '@hearth/testkit/api/renderItem.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi({ config: { trustedProxies: ['loopback'] } });
const replica = await startTestApi({ sharedWith: api });
after(async () => {
  await replica.stop();
  await api.stop();
});
beforeEach(() => api.deps.db.deleteFrom('login_attempts').execute());

const user = await api.signUp();
const item = await user.uploadPhoto();
await renderItem(api, user.id, item);
const created = await user.call('createAlbum', { body: { name: 'A', shared: true, coverMediaItemId: item } });
const id = created.body.shareId!;

const from = (address: string) => ({ 'x-forwarded-for': address });
const listItems = async (call: Client, share: string, address = '203.0.113.1') =>
  call('listSharedMediaItems', { params: { id: share }, headers: from(address) });

test('refuses a client after twenty wrong ids on every replica, but no one else', async () => {
  for (let n = 0; n < 20; n++)
    assert.equal((await listItems(n % 2 ? api.call : replica.call, randomUUID())).status, 404);
  for (const { call } of [api, replica]) {
    for (const share of [randomUUID(), id]) {
      const response = await listItems(call, share);
      assert.deepEqual([response.status, response.error.code], [429, 'TOO_MANY_ATTEMPTS']);
      const seconds = Number(response.headers.get('retry-after'));
      assert.ok(seconds >= 1 && seconds <= 60);
    }
    assert.equal((await listItems(call, id, '203.0.113.2')).status, 200);
  }
});

test('checks no more concurrent guesses than sequential ones', async () => {
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, n) => listItems(n % 2 ? api.call : replica.call, randomUUID())),
  );
  assert.equal(responses.filter(({ status }) => status === 404).length, 20);
  assert.equal(responses.filter(({ status }) => status === 429).length, 40);
});

test('does not refuse repeated requests for a shared album, or for one wrong id', async () => {
  const gone = randomUUID();
  for (let n = 0; n < 50; n++) assert.equal((await listItems(api.call, gone)).status, 404);
  const { thumbnailUrl } = (await listItems(api.call, id)).body[0]!;
  for (let n = 0; n < 300; n++)
    assert.equal((await fetchLink(api.url, thumbnailUrl!, { headers: from('203.0.113.1') })).status, 200);
  assert.equal((await listItems(api.call, id)).status, 200);
});

test('does not count invalid signed links, because they reveal nothing', async () => {
  const { thumbnailUrl } = (await listItems(api.call, id)).body[0]!;
  const wrong = thumbnailUrl!.replace(/signature=(.)/, (_, first) => `signature=${first === 'x' ? 'y' : 'x'}`);
  for (let n = 0; n < 50; n++)
    assert.equal((await fetchLink(api.url, wrong, { headers: from('203.0.113.1') })).status, 404);
  assert.equal((await listItems(api.call, id)).status, 200);
});
