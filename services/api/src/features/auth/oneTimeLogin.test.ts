import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { createClient } from '@hearth/testkit/api/client.ts';
import { clearLoginAttempts } from '@hearth/testkit/api/loginAttempts.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const user = await api.signUp();
after(() => api.stop());
beforeEach(() => clearLoginAttempts(api));

const { oneTimeCode } = api.deps;
const redeem = async (code: string, headers: Record<string, string> = {}) =>
  api.call('logInOnce', { body: { code }, headers });

test('a one-time code opens a session once and is audited', async () => {
  const code = oneTimeCode.issue(user.id);
  const { status, body, headers } = await redeem(code, { 'user-agent': 'Firefox' });
  assert.equal(status, 200);
  assert.deepEqual(headers.getSetCookie(), []);
  const call = createClient(api.url, `Bearer ${body.accessToken}`);
  const [session] = (await call('listSessions')).body;
  assert.deepEqual([session?.device, session?.current], ['Firefox', true]);
  assert.equal((await api.call('refresh', { body: { refreshToken: body.refreshToken } })).status, 200);

  const again = await redeem(code);
  assert.deepEqual([again.status, again.error.code], [401, 'UNAUTHORIZED']);
  const [failed, signedIn] = (await api.callAsAdmin('listAudit')).body;
  const success = [signedIn?.action, signedIn?.actor, signedIn?.userId, signedIn?.subject];
  assert.deepEqual(success, ['SIGNED_IN', 'USER', user.id, 'one-time code']);
  const failure = [failed?.action, failed?.actor, failed?.userId, failed?.subject];
  assert.deepEqual(failure, ['SIGN_IN_FAILED', 'NOBODY', undefined, 'one-time code']);
  assert.ok(!JSON.stringify([failed, signedIn]).includes(code));
});

test('sets a cookie for a page and ends its previous session', async () => {
  const page = { 'X-Hearth-Session': 'cookie' };
  const first = await redeem(oneTimeCode.issue(user.id), page);
  assert.deepEqual([first.status, Object.keys(first.body)], [200, ['accessToken']]);
  const [cookie = ''] = first.headers.getSetCookie();
  assert.match(cookie, /^hearth_session=[\w-]{86}; Max-Age=2592000; Path=\/v1\/auth; .*HttpOnly; SameSite=Strict$/);
  const [pair = ''] = cookie.split(';');
  await redeem(oneTimeCode.issue(user.id), { ...page, cookie: pair });
  const ended = await createClient(api.url, `Bearer ${first.body.accessToken}`)('getFeatures');
  assert.equal(ended.status, 401);
});

test('rejects a code that is unknown, used or older than a sign-in by password', async () => {
  const code = oneTimeCode.issue(user.id);
  assert.equal((await redeem(`${code.slice(1)}A`)).status, 401);
  assert.equal((await redeem(code)).status, 200);
  assert.equal((await redeem(code)).status, 401);
  const unused = oneTimeCode.issue(user.id);
  const { username, password } = user;
  assert.equal((await api.call('login', { body: { username, password: 'a wrong password' } })).status, 401);
  assert.equal((await api.call('login', { body: { username, password } })).status, 200);
  assert.equal((await redeem(unused)).status, 401);
});

test('rejects the code of a deleted account', async () => {
  const gone = await api.signUp();
  const code = oneTimeCode.issue(gone.id);
  await api.callAsAdmin('deleteUser', { params: { id: gone.id } });
  assert.equal((await redeem(code)).status, 401);
});

test('refuses any code after five wrong ones, but not passwords', async () => {
  const code = oneTimeCode.issue(user.id);
  for (let n = 0; n < 5; n++) assert.equal((await redeem('a wrong code')).status, 401);
  const refused = await redeem(code);
  assert.deepEqual([refused.status, refused.error.code], [429, 'TOO_MANY_ATTEMPTS']);
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
  await clearLoginAttempts(api);
  assert.equal((await redeem(code)).status, 200);
});

test('returns 400 for a malformed code without counting it', async () => {
  for (const code of ['', 'x'.repeat(101), 7]) {
    for (let n = 0; n < 6; n++) {
      const body: object = { code };
      assert.equal((await api.call('logInOnce', { raw: JSON.stringify(body), headers: json })).status, 400);
    }
  }
});

const json = { 'content-type': 'application/json' };
