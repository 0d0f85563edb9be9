import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import type { User } from '@hearth/contract/users.ts';
import { featureNames } from '@hearth/contract/vocabulary.ts';
import { fetchLink, type ApiResponse } from '@hearth/testkit/api/client.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { callAsAdmin } = api;
after(() => api.stop());

const create = async (values: object = {}) =>
  callAsAdmin('createUser', { body: { name: 'Ada', username: randomUUID(), password: 'a password', ...values } });

test('creates a user with all features and without a password in the response, at the returned Location', async () => {
  const { status, headers, body } = await create({ name: 'Ada Lovelace', username: 'ada' });
  assert.equal(status, 201);
  assert.equal(headers.get('location'), `/v1/users/${body.id}`);
  assert.deepEqual([body.name, body.username], ['Ada Lovelace', 'ada']);
  assert.deepEqual(body.features, Object.fromEntries(featureNames.map((feature) => [feature, true])));
  assert.deepEqual((await callAsAdmin('getUser', { params: { id: body.id } })).body, body);
});

test('stores the password as an argon2id hash', async () => {
  const { id } = (await create()).body;
  const row = await api.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  assert.match(row.password_hash, /^\$argon2id\$/);
});

test('accepts features as an object or as JSON text', async () => {
  const given = { people: false, trash: true };
  for (const features of [given, JSON.stringify(given)]) {
    const returned = (await create({ features })).body.features;
    assert.deepEqual([returned.people, returned.trash, returned.places], [false, true, true]);
  }
});

test('rejects a taken username regardless of letter case', async () => {
  await create({ username: 'grace' });
  const other = (await create()).body;
  for (const username of ['grace', 'GRACE', ' Grace ']) {
    for (const response of [
      await create({ username }),
      await callAsAdmin('updateUser', { params: { id: other.id }, body: { username } }),
    ]) {
      assert.deepEqual([response.status, response.error.code], [400, 'VALIDATION_FAILED']);
      assert.deepEqual(response.error.errors, [{ path: 'body.username', message: 'this username is taken' }]);
    }
  }
});

const invalid: readonly [object, string][] = [
  [{ name: undefined }, 'body.name'],
  [{ name: '' }, 'body.name'],
  [{ name: 'a\nb' }, 'body.name'],
  [{ name: 'x'.repeat(256) }, 'body.name'],
  [{ name: 'a\0' }, 'body.name'],
  [{ username: undefined }, 'body.username'],
  [{ username: ' ' }, 'body.username'],
  [{ username: 'x'.repeat(65) }, 'body.username'],
  [{ password: undefined }, 'body.password'],
  [{ password: 'short' }, 'body.password'],
  [{ password: 'x'.repeat(257) }, 'body.password'],
  [{ features: { flying: true } }, 'body.features'],
  [{ features: { trash: 'yes' } }, 'body.features.trash'],
  [{ features: '{' }, 'body.features'],
  [{ id: randomUUID() }, 'body'],
];

for (const [values, path] of invalid) {
  test(`rejects a user with ${inspect(values).slice(0, 60)} and names ${path}`, async () => {
    const { error } = await create(values);
    assert.equal(error.code, 'VALIDATION_FAILED');
    assert.deepEqual(new Set(error.errors?.map((each) => each.path)), new Set([path]));
  });
}

test('changes only the given fields, including single features', async () => {
  const { id, username } = (await create({ features: { people: false } })).body;
  const params = { id };
  assert.equal((await callAsAdmin('updateUser', { params, body: { features: { trash: false } } })).status, 204);
  assert.equal((await callAsAdmin('updateUser', { params, body: { name: 'Ada King' } })).status, 204);
  const { body } = await callAsAdmin('getUser', { params });
  assert.deepEqual([body.name, body.username], ['Ada King', username]);
  assert.deepEqual([body.features.people, body.features.trash, body.features.jobs], [false, false, true]);
  assert.ok(body.updatedAt > body.createdAt);
});

test('lets a user change the letter case of their username', async () => {
  const { id } = (await create({ username: 'linus' })).body;
  assert.equal((await callAsAdmin('updateUser', { params: { id }, body: { username: 'Linus' } })).status, 204);
});

test('rejects empty changes and unknown fields', async () => {
  const { id } = (await create()).body;
  for (const body of [{}, { nickname: 'x' }, { name: null }]) {
    assert.equal((await callAsAdmin('updateUser', { params: { id }, body })).error.code, 'VALIDATION_FAILED');
  }
});

test('returns 404 for an unknown user', async () => {
  const params = { id: randomUUID() };
  for (const response of [
    await callAsAdmin('getUser', { params }),
    await callAsAdmin('updateUser', { params, body: { name: 'x' } }),
    await callAsAdmin('updateUser', { params, body: { password: 'a password' } }),
    await callAsAdmin('deleteUser', { params }),
  ]) {
    assert.deepEqual([response.status, response.error.message], [404, 'user not found']);
  }
});

test('a deleted user is gone, and the username is free', async () => {
  const { id, username } = (await create()).body;
  assert.equal((await callAsAdmin('deleteUser', { params: { id } })).status, 204);
  assert.equal((await callAsAdmin('getUser', { params: { id } })).status, 404);
  assert.equal((await callAsAdmin('deleteUser', { params: { id } })).status, 404);
  assert.equal((await create({ username })).status, 201);
});

test('rejects links and shares of a deleted user at once', async () => {
  const user = await api.signUp();
  const other = await api.signUp();
  const linkOf = async (each: typeof user): Promise<string> =>
    (await each.call('getMediaItem', { params: { id: await each.uploadPhoto() } })).body.sourceUrl;
  const [link, kept] = [await linkOf(user), await linkOf(other)];
  const album = (await user.call('createAlbum', { body: { name: 'Shared', shared: true } })).body;
  const openShare = () => api.call('getSharedAlbum', { params: { id: album.shareId! } });
  assert.equal((await openShare()).status, 200);
  assert.equal((await fetchLink(api.url, link)).status, 200);
  assert.equal((await callAsAdmin('deleteUser', { params: { id: user.id } })).status, 204);
  assert.equal((await fetchLink(api.url, link)).status, 404);
  assert.equal((await openShare()).status, 404);
  assert.equal((await user.call('listAlbums', {})).status, 401);
  assert.equal((await fetchLink(api.url, kept)).status, 200);
});

test('lists users by name, and pages through all of them once', async () => {
  const { body: all } = await callAsAdmin('listUsers', { query: { limit: 200 } });
  const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  for (const [index, { name }] of all.slice(1).entries()) assert.ok(compare(all[index]!.name, name) <= 0, name);
  const walked: string[] = [];
  let next: Record<string, string> | undefined = { limit: '3' };
  while (next !== undefined) {
    const response: ApiResponse<User[]> = await callAsAdmin('listUsers', { query: next });
    walked.push(...response.body.map(({ id }) => id));
    const link = /^<\/v1\/users\?(limit=3&cursor=[\w-]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    next = link === undefined ? undefined : Object.fromEntries(new URLSearchParams(link));
  }
  assert.deepEqual(
    walked,
    all.map(({ id }) => id),
  );
});

test('returns an empty page after the last one', async () => {
  assert.deepEqual((await callAsAdmin('listUsers', { query: { page: 45_035_996_273_704, limit: 200 } })).body, []);
});
