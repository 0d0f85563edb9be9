import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { createRefreshToken } from '../../accounts/refreshTokens.ts';
import { createClient, type ApiResponse } from '@hearth/testkit/api/client.ts';
import { startTestApi, type TestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const other = await startTestApi({ sharedWith: api });
after(async () => {
  await other.stop();
  await api.stop();
});

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const logIn = async (username: string, password: string): Promise<Tokens> =>
  (await api.call('login', { body: { username, password } })).body as Tokens;

/** Creates a user with one session. */
const signUp = async () => {
  const { id, username, password, call } = await api.signUp();
  await call('logout');
  return { id, username, password, tokens: await logIn(username, password) };
};

const refresh = async (refreshToken: string, replica: TestApi = api): Promise<ApiResponse<Tokens>> =>
  (await replica.call('refresh', { body: { refreshToken } })) as ApiResponse<Tokens>;

/** Status of a request with the access token on a replica. */
const use = async ({ accessToken }: Tokens, replica: TestApi): Promise<number> =>
  (await createClient(replica.url, `Bearer ${accessToken}`)('getFeatures')).status;

const countSessions = async (userId: string): Promise<number> =>
  (await api.deps.db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()).length;

/** Ends the grace period of ten seconds after the last refresh. */
const endGracePeriod = async (userId: string): Promise<void> => {
  const longAgo = new Date(Date.now() - 10_001);
  await api.deps.db.updateTable('sessions').set({ refreshed_at: longAgo }).where('user_id', '=', userId).execute();
};

/** Asserts that both replicas reject these tokens. */
const expectEnded = async (...all: Tokens[]): Promise<void> => {
  for (const replica of [other, api]) {
    for (const tokens of all) {
      assert.equal(await use(tokens, replica), 401);
      assert.equal((await refresh(tokens.refreshToken, replica)).status, 401);
    }
  }
};

test('accepts a refresh token as bearer token or in the body, and returns new tokens', async () => {
  const { tokens } = await signUp();
  const byHeader = (await createClient(api.url, `Bearer ${tokens.refreshToken}`)('refresh')).body as Tokens;
  const byBody = (await refresh(byHeader.refreshToken)).body;
  assert.equal(new Set([tokens, byHeader, byBody].map(({ refreshToken }) => refreshToken)).size, 3);
  for (const each of [tokens, byHeader, byBody]) assert.equal(await use(each, api), 200);
});

test('prefers the token in the body over an access token in the header', async () => {
  const { tokens } = await signUp();
  for (const token of [tokens.accessToken, 'not.a.token']) {
    const call = createClient(api.url, `Bearer ${token}`);
    assert.equal((await call('refresh', { body: { refreshToken: tokens.refreshToken } })).status, 200);
  }
});

test('twenty concurrent refreshes on two replicas keep one session, and every response is valid', async () => {
  const { id, tokens } = await signUp();
  const calls = Array.from({ length: 20 }, (_, i) => refresh(tokens.refreshToken, i % 2 === 0 ? api : other));
  const responses = (await Promise.all(calls)).map(({ body }) => body);
  assert.equal(new Set(responses.map(({ refreshToken }) => refreshToken)).size, 1);
  assert.equal(await countSessions(id), 1);
  for (const [i, response] of responses.entries()) assert.equal(await use(response, i % 2 === 0 ? other : api), 200);
  const next = await Promise.all(responses.map(({ refreshToken }) => refresh(refreshToken, other)));
  for (const { body } of next) assert.equal(await use(body, api), 200);
  assert.equal(await countSessions(id), 1);
});

test("a stolen token used after its owner's refresh ends the session on every replica", async () => {
  const { id, tokens: stolen } = await signUp();
  const { body: owners } = await refresh(stolen.refreshToken);
  await endGracePeriod(id);
  assert.equal(await use(owners, other), 200);
  assert.equal((await refresh(stolen.refreshToken, other)).status, 401);
  await expectEnded(stolen, owners);
  assert.equal(await countSessions(id), 0);
});

test("a stolen token used before its owner's refresh ends the session at that refresh", async () => {
  const { id, tokens } = await signUp();
  const { body: thiefs } = await refresh(tokens.refreshToken);
  const { body: thiefsNext } = await refresh(thiefs.refreshToken);
  await endGracePeriod(id);
  assert.equal((await refresh(tokens.refreshToken)).status, 401);
  await expectEnded(tokens, thiefs, thiefsNext);
});

test('keeps other sessions of the user when one ends because its token was reused', async () => {
  const { id, username, password, tokens } = await signUp();
  const second = await logIn(username, password);
  await refresh(tokens.refreshToken);
  await endGracePeriod(id);
  assert.equal((await refresh(tokens.refreshToken)).status, 401);
  assert.equal(await use(second, other), 200);
  assert.equal((await refresh(second.refreshToken, other)).status, 200);
});

test('rejects all tokens of a session on the other replica right after a logout', async () => {
  const { tokens } = await signUp();
  const { body: next } = await refresh(tokens.refreshToken);
  assert.equal(await use(next, other), 200);
  assert.equal((await createClient(api.url, `Bearer ${next.accessToken}`)('logout')).status, 204);
  await expectEnded(next, tokens);
});

test('rejects all tokens on the other replica after a password change or account deletion', async () => {
  for (const end of [
    (id: string) => api.callAsAdmin('updateUser', { params: { id }, body: { password: 'another password' } }),
    (id: string) => api.callAsAdmin('deleteUser', { params: { id } }),
  ]) {
    const { id, username, password, tokens } = await signUp();
    const second = await logIn(username, password);
    assert.equal(await use(tokens, other), 200);
    assert.equal((await end(id)).status, 204);
    await expectEnded(tokens, second);
  }
});

test('a refresh during a password change does not survive it', async () => {
  for (let i = 0; i < 5; i++) {
    const { id, tokens } = await signUp();
    const [refreshed] = await Promise.all([
      refresh(tokens.refreshToken, other),
      api.callAsAdmin('updateUser', { params: { id }, body: { password: 'another password' } }),
    ]);
    if (refreshed.status === 200) await expectEnded(refreshed.body);
    assert.equal(await countSessions(id), 0);
  }
});

test('rejects anything that is not a refresh token, without ending a session', async () => {
  const { tokens } = await signUp();
  for (const token of [
    '',
    'x',
    createRefreshToken().text,
    tokens.accessToken,
    `${tokens.refreshToken}x`,
    'x'.repeat(10_000),
  ]) {
    const { status, headers, error } = await refresh(token);
    assert.deepEqual([status, error.message, headers.get('www-authenticate')], [401, 'Unauthorized', 'Bearer'], token);
  }
  for (const authorization of [undefined, 'Bearer', 'Bearer x', `Basic ${tokens.refreshToken}`]) {
    assert.equal((await createClient(api.url, authorization)('refresh')).status, 401);
    assert.equal((await createClient(api.url, authorization)('refresh', { body: {} })).status, 401);
  }
  assert.equal((await refresh(tokens.refreshToken)).status, 200);
});

test('does not accept a refresh token as an access token', async () => {
  const { tokens } = await signUp();
  assert.equal(await use({ ...tokens, accessToken: tokens.refreshToken }, api), 401);
});

for (const body of [{ refreshToken: 1 }, { refreshToken: null }, { refresh_token: 'x' }, []]) {
  test(`rejects a refresh with ${inspect(body)}`, async () => {
    assert.equal((await api.call('refresh', { body })).error.code, 'VALIDATION_FAILED');
  });
}

test('a rotated token key ends no session: old access tokens work while their key is listed, refresh tokens always', async () => {
  const { tokens } = await signUp();
  const tokenSecret = 'another token secret, also long enough';
  const rotated = await startTestApi({
    sharedWith: api,
    config: { tokenSecret, tokenSecretPrevious: [api.deps.config.tokenSecret] },
  });
  const forgetful = await startTestApi({ sharedWith: api, config: { tokenSecret } });
  try {
    assert.equal(await use(tokens, rotated), 200);
    assert.equal(await use(tokens, forgetful), 401);
    const { body: next } = await refresh(tokens.refreshToken, forgetful);
    for (const replica of [rotated, forgetful]) assert.equal(await use(next, replica), 200);
    assert.equal(await use(next, api), 401, 'a replica without the new key');
  } finally {
    await Promise.all([rotated.stop(), forgetful.stop()]);
  }
});
