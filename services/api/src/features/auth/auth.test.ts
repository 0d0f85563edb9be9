import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import jwt from 'jsonwebtoken';
import { createClient } from '@hearth/testkit/api/client.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { keyId } from '../../links/signingKeys.ts';

const api = await startTestApi();
after(() => api.stop());

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const login = async (username: string, password: string) => api.call('login', { body: { username, password } });

test('signs in with the right password and a username in any case', async () => {
  const { username, password } = await api.signUp('Ada');
  for (const name of [username, 'ADA', ' ada ']) assert.equal((await login(name, password)).status, 200);
});

for (const username of ['Ärger', 'İpek', 'ΟΔΥΣΣΕΥΣ', 'Łukasz', '李雷', 'e\u0301mile']) {
  test(`a user can be called ${username}`, async () => {
    const { password } = await api.signUp(username);
    assert.equal((await login(username, password)).status, 200);
    assert.equal((await login(username.normalize('NFC'), password)).status, 200);
  });
}

test('accepts a password in any Unicode composition', async () => {
  const body = { name: 'Zoë', username: 'zoe', password: 'Zoe\u0308s Passwort' };
  await api.callAsAdmin('createUser', { body });
  assert.equal((await login('zoe', 'Zo\u00ebs Passwort')).status, 200);
});

test('responds identically to a wrong username and a wrong password', async () => {
  const { username, password } = await api.signUp();
  const responses = [
    await login(username, `${password}!`),
    await login('nobody', password),
    await login(username, 'x'),
    await login(username, password.toUpperCase()),
    await login("' or true --", password),
  ];
  for (const { status, error, headers } of responses) {
    assert.deepEqual([status, error.message, error.code], [401, 'Unauthorized', 'UNAUTHORIZED']);
    assert.equal(headers.get('www-authenticate'), 'Bearer');
  }
});

test('rejects a login with missing or unknown fields', async () => {
  const body = { username: 'a', password: 'b' };
  for (const wrong of [{ username: 'a' }, { password: 'b' }, { ...body, username: 1 }, { ...body, remember: true }]) {
    assert.equal((await api.call('login', { body: wrong })).error.code, 'VALIDATION_FAILED');
  }
  const { errors } = (await api.call('login', { body: {} })).error;
  assert.deepEqual(
    errors?.map(({ path }) => path),
    ['body.username', 'body.password'],
  );
});

test('rejects the token of a session right after its logout, but no others', async () => {
  const user = await api.signUp();
  const { accessToken } = (await login(user.username, user.password)).body;
  const second = createClient(api.url, `Bearer ${accessToken}`);
  assert.equal((await user.call('logout')).status, 204);
  assert.equal((await user.call('getFeatures')).status, 401);
  assert.equal((await user.call('logout')).status, 401);
  assert.equal((await second('getFeatures')).status, 200);
});

test('rejects all tokens and the old password right after a password change', async () => {
  const { id, call, username, password } = await api.signUp();
  await api.callAsAdmin('updateUser', { params: { id }, body: { password: 'another password' } });
  assert.equal((await call('getFeatures')).status, 401);
  assert.equal((await login(username, password)).status, 401);
  assert.equal((await login(username, 'another password')).status, 200);
});

test('keeps tokens valid after other changes of the account', async () => {
  const { id, call } = await api.signUp();
  await api.callAsAdmin('updateUser', { params: { id }, body: { name: 'Somebody else' } });
  assert.equal((await call('getFeatures')).status, 200);
});

test('rejects tokens and sign-ins of a deleted user', async () => {
  const { id, call, username, password } = await api.signUp();
  await api.callAsAdmin('deleteUser', { params: { id } });
  assert.equal((await call('getFeatures')).status, 401);
  assert.equal((await login(username, password)).status, 401);
});

test('rejects a token that is expired, unsigned, signed with another key or without a session', async () => {
  const { id, token } = await api.signUp();
  const { sid } = jwt.decode(token, { json: true })!;
  const { tokenSecret } = api.deps.config;
  const kid = keyId(tokenSecret);
  const othersSecret = 'a secret of somebody else, also long';
  const sign = (options: jwt.SignOptions, claims: object = { sid }, secret = tokenSecret): string =>
    jwt.sign(claims, secret, { algorithm: 'HS256', keyid: kid, subject: id, expiresIn: 900, ...options });
  const statusOf = async (token: string): Promise<number> =>
    (await createClient(api.url, `Bearer ${token}`)('getFeatures')).status;
  assert.equal(await statusOf(sign({})), 200, 'signed like a token of the server');
  const [header, claims, signature] = sign({}).split('.');
  const wrong = [
    sign({}, { sid: randomUUID() }),
    sign({}, {}),
    sign({}, { sid: 1 }),
    sign({ expiresIn: -1 }),
    jwt.sign({ sid }, tokenSecret, { algorithm: 'HS256', keyid: kid, subject: id }),
    jwt.sign({ sid }, tokenSecret, { algorithm: 'HS256', keyid: kid, expiresIn: 900 }),
    sign({}, { sid }, othersSecret),
    sign({ keyid: keyId(othersSecret) }, { sid }, othersSecret),
    jwt.sign({ sid }, tokenSecret, { algorithm: 'HS256', subject: id, expiresIn: 900 }),
    sign({ algorithm: 'HS512' }),
    jwt.sign({ sid, sub: id, exp: 9e9 }, '', { algorithm: 'none', keyid: kid }),
    `${encode({ alg: 'none', typ: 'JWT', kid })}.${claims}.${signature}`,
    `${header}.${encode({ sid, sub: id, exp: 9e9 })}.${signature}`,
    `${header}.${claims}.`,
    `${header}.${claims}`,
  ];
  for (const token of wrong) assert.equal(await statusOf(token), 401, token);
});

test('rejects an expired session', async () => {
  const { call } = await api.signUp();
  await api.deps.db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .execute();
  assert.equal((await call('getFeatures')).status, 401);
});

test('returns all features with their current state', async () => {
  const { id, call } = await api.signUp();
  assert.ok(Object.values((await call('getFeatures')).body).every(Boolean));
  await api.callAsAdmin('updateUser', { params: { id }, body: { features: { people: false } } });
  const { people, ...others } = (await call('getFeatures')).body;
  assert.equal(people, false);
  assert.ok(Object.values(others).every(Boolean));
});
