import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFace, writeFaces } from '@hearth/testkit/rows/faces.ts';
import { motionKey } from '@hearth/core/objects/keys.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { createClient, fetchLink, type Client } from '@hearth/testkit/api/client.ts';
import { renderItem } from '@hearth/testkit/api/renderItem.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import type { TestUser } from '@hearth/testkit/api/testUser.ts';

/** Maximum delay of a change on other replicas, in ms. */
const promisedMs = 2_000;

const api = await startTestApi();
const { db, objects } = api.deps;
const proxy = await startTcpProxy();
const databaseUrl = proxy.setTarget(api.deps.config.databaseUrl);
/** A second replica whose database connection can be cut. */
const replica = await startTestApi({ sharedWith: api, config: { databaseUrl } });
after(async () => {
  await replica.stop();
  await proxy.cut();
  await api.stop();
});

/** Creates an item with every kind of link and returns the links. */
const addItem = async ({ id: userId, uploadPhoto }: TestUser): Promise<string> => {
  const id = await uploadPhoto({ creationTime: '2020-01-01T12:00:00Z' });
  await renderItem(api, userId, id, { motion_key: motionKey(userId, id, 1), category: 'MOTION' });
  await writeFaces(db, { id, user_id: userId }, [makeFace({ id, user_id: userId })]);
  const faces = await db.selectFrom('faces').select('thumbnail_key').where('media_item_id', '=', id).execute();
  for (const { thumbnail_key: key } of faces) await objects.put(key, Readable.from([Buffer.from(key)]));
  return id;
};

const prefixOf = async (call: Client): Promise<string> =>
  (await call('getTimelineGrid', { params: { section: '2020-01' } })).body.thumbnailPrefixes[0]!;

const linksOf = async (call: Client, id: string): Promise<string[]> => {
  const { sourceUrl, previewUrl, thumbnailUrl, posterUrl, motionUrl } = (await call('getMediaItem', { params: { id } }))
    .body;
  const [person] = (await call('listPeople')).body;
  const links = [sourceUrl, previewUrl, thumbnailUrl, posterUrl, motionUrl, person?.coverMediaItemFace?.thumbnail];
  return [...links.map((link) => link!), `${await prefixOf(call)}${id}`];
};

const statuses = async (url: string, links: readonly string[]): Promise<number[]> =>
  Promise.all(links.map(async (link) => (await fetchLink(url, link)).status));

const every = (status: number, links: readonly string[]): number[] => links.map(() => status);

/** Actions that revoke all links of a user. Each returns a client of the user that still works, if any. */
const revocations = {
  'the user changes the password': async ({ call, password }) => {
    const body = { currentPassword: password, newPassword: `${password}, changed` };
    return createClient(api.url, `Bearer ${(await call('changePassword', { body })).body.accessToken}`);
  },
  'the administrator changes the password': async ({ id, username }) => {
    const password = 'a password of the administrator';
    await api.callAsAdmin('updateUser', { params: { id }, body: { password } });
    const login = await api.call('login', { body: { username, password } });
    return createClient(api.url, `Bearer ${login.body.accessToken}`);
  },
  'the user signs out everywhere else': async ({ call }) => {
    await call('endOtherSessions');
    return call;
  },
  'the account is removed': async ({ id }) => {
    await api.callAsAdmin('deleteUser', { params: { id } });
    return undefined;
  },
} as const satisfies Record<string, (user: TestUser) => Promise<Client | undefined>>;

for (const [when, end] of Object.entries(revocations)) {
  test(`when ${when}, revokes every link on one replica at once, and on another within two seconds`, async () => {
    const [user, other] = [await api.signUp(), await api.signUp()];
    const [id, theirs] = [await addItem(user), await addItem(other)];
    const links = await linksOf(user.call, id);
    assert.deepEqual(await linksOf(user.call, id), links, 'links stay identical in an epoch');
    for (const { url } of [api, replica]) assert.deepEqual(await statuses(url, links), every(200, links));

    const call = await end(user);
    const endedAt = performance.now();
    assert.deepEqual(await statuses(api.url, links), every(404, links));
    if (call !== undefined) {
      const renewed = await linksOf(call, id);
      assert.ok(renewed.every((link) => !links.includes(link)));
      // New links also work on a replica that has not noticed the change yet.
      for (const { url } of [replica, api]) assert.deepEqual(await statuses(url, renewed), every(200, renewed));
    }
    await sleep(Math.max(0, endedAt + promisedMs - performance.now()));
    assert.deepEqual(await statuses(replica.url, links), every(404, links));
    const kept = await linksOf(other.call, theirs);
    assert.deepEqual(await statuses(replica.url, kept), every(200, kept), 'links of other users still work');
  });
}

test('keeps links when another session ends and after other changes of the account', async () => {
  const user = await api.signUp();
  const links = await linksOf(user.call, await addItem(user));
  const { username, password } = user;
  const phone = createClient(
    api.url,
    `Bearer ${(await api.call('login', { body: { username, password } })).body.accessToken}`,
  );
  await phone('logout');
  await api.callAsAdmin('updateUser', { params: { id: user.id }, body: { name: 'Ada' } });
  for (const { url } of [api, replica]) assert.deepEqual(await statuses(url, links), every(200, links));
});

test('links of a share survive a password change of its owner', async () => {
  const user = await api.signUp();
  const item = await addItem(user);
  const body = { name: 'Summer', shared: true, coverMediaItemId: item };
  const { shareId } = (await user.call('createAlbum', { body })).body;
  const shared = (await api.call('getSharedAlbum', { params: { id: shareId! } })).body.coverMediaItem!;
  const links = [shared.previewUrl!, shared.thumbnailUrl!];
  await revocations['the user changes the password'](user);
  for (const { url } of [api, replica]) assert.deepEqual(await statuses(url, links), every(200, links));
  assert.equal((await replica.call('getSharedAlbum', { params: { id: shareId! } })).status, 200);
});

test('a replica without its database rejects links with 503 after two seconds, and recovers with it', async () => {
  const user = await api.signUp();
  const id = await addItem(user);
  const links = await linksOf(user.call, id);
  assert.deepEqual(await statuses(replica.url, links), every(200, links));
  await proxy.cut();
  const call = await revocations['the user changes the password'](user);
  await sleep(promisedMs);
  assert.deepEqual(await statuses(replica.url, links), every(503, links));
  await proxy.open();
  assert.deepEqual(await statuses(replica.url, links), every(404, links));
  const renewed = await linksOf(call, id);
  assert.deepEqual(await statuses(replica.url, renewed), every(200, renewed));
});

test('the thumbnail prefix does not open a hidden item, which gets a separate link', async () => {
  const user = await api.signUp();
  const [hidden, shown] = [await addItem(user), await addItem(user)];
  const prefix = await prefixOf(user.call);
  const [link, other] = [`${prefix}${hidden}`, `${prefix}${shown}`];
  for (const { url } of [api, replica]) assert.deepEqual(await statuses(url, [link, other]), [200, 200]);

  await user.call('addToHidden', { body: { mediaItems: [hidden] } });
  const hiddenAt = performance.now();
  assert.deepEqual(await statuses(api.url, [link, other]), [404, 200]);
  await sleep(Math.max(0, hiddenAt + promisedMs - performance.now()));
  assert.deepEqual(await statuses(replica.url, [link, other]), [404, 200]);
  const { thumbnailUrl } = (await user.call('getMediaItem', { params: { id: hidden } })).body;
  assert.deepEqual(await statuses(replica.url, [thumbnailUrl!]), [200]);

  await user.call('addToTrash', { body: { mediaItems: [hidden] } });
  assert.deepEqual(await statuses(api.url, [link]), [404], 'a hidden item stays hidden in the trash');
  await user.call('restoreFromTrash', { body: { mediaItems: [hidden] } });
  await user.call('removeFromHidden', { body: { mediaItems: [hidden] } });
  for (const { url } of [replica, api]) assert.deepEqual(await statuses(url, [link, other]), [200, 200]);
});

test('the thumbnail prefix does not open the video half of a hidden Live Photo', async () => {
  const user = await api.signUp();
  const [photo, half] = [await addItem(user), await addItem(user)];
  await db.updateTable('media_items').set({ motion_item_id: half }).where('id', '=', photo).execute();
  const prefix = await prefixOf(user.call);
  assert.deepEqual(await statuses(api.url, [`${prefix}${half}`]), [200]);
  await user.call('addToHidden', { body: { mediaItems: [photo] } });
  assert.deepEqual(await statuses(api.url, [`${prefix}${half}`]), [404]);
});
