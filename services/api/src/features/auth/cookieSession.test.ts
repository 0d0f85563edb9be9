import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createRefreshToken } from '../../accounts/refreshTokens.ts';
import { createClient, type ApiResponse } from '@hearth/testkit/api/client.ts';
import { readEvents } from '@hearth/testkit/api/eventReader.ts';
import { startTestApi, type TestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const other = await startTestApi({ sharedWith: api });
after(async () => {
  await other.stop();
  await api.stop();
});

const asPage: Readonly<Record<string, string>> = { 'X-Hearth-Session': 'cookie' };

/** Returns the cookie of a response as a browser would send it back, and its attributes. */
const cookieOf = ({ headers }: Pick<ApiResponse<unknown>, 'headers'>) => {
  const [line, ...more] = headers.getSetCookie();
  assert.ok(line !== undefined && more.length === 0, headers.getSetCookie().join(' | '));
  const [pair = '', ...attributes] = line.split('; ');
  return { pair, attributes: attributes.filter((attribute) => !attribute.startsWith('Expires=')).toSorted() };
};

/** Returns true if the response clears the session cookie and the cached pictures. */
const clearsSession = (response: Pick<ApiResponse<unknown>, 'headers'>): boolean =>
  /^hearth_session=; .*Expires=Thu, 01 Jan 1970/.test(response.headers.getSetCookie().join()) &&
  clearsCachedPictures(response);

const clearsCachedPictures = ({ headers }: Pick<ApiResponse<unknown>, 'headers'>): boolean =>
  headers.get('Clear-Site-Data') === '"cache"';

/** Signs in like a web page. Returns the access token and the cookie. */
const signIn = async ({ username, password }: { username: string; password: string }, before?: string) => {
  const headers = { ...asPage, ...(before !== undefined && { cookie: before }) };
  const response = await api.call('login', { body: { username, password }, headers });
  assert.equal(response.status, 200);
  return { response, token: response.body.accessToken, cookie: cookieOf(response).pair };
};

const refresh = async (cookie: string, replica: TestApi = api, headers: Record<string, string> = asPage) =>
  replica.call('refresh', { headers: { ...headers, cookie } });

const isSignedIn = async (token: string): Promise<boolean> =>
  (await createClient(other.url, `Bearer ${token}`)('getFeatures')).status === 200;

const endGracePeriod = async (userId: string): Promise<void> => {
  const longAgo = new Date(Date.now() - 10_001);
  await api.deps.db.updateTable('sessions').set({ refreshed_at: longAgo }).where('user_id', '=', userId).execute();
};

test('sets the refresh token as a cookie that is hidden from scripts and other sites, and limited to /v1/auth', async () => {
  const user = await api.signUp();
  const { response, cookie } = await signIn(user);
  assert.match(cookie, /^hearth_session=[\w-]{86}$/);
  assert.deepEqual(cookieOf(response).attributes, ['HttpOnly', 'Max-Age=2592000', 'Path=/v1/auth', 'SameSite=Strict']);
  assert.deepEqual(Object.keys(response.body), ['accessToken']);
  assert.ok(!response.bytes.toString().includes(cookie.slice('hearth_session='.length)));
});

test('returns the token in the body and sets no cookie without the header', async () => {
  const { username, password } = await api.signUp();
  const others: readonly Readonly<Record<string, string>>[] = [{}, { 'X-Hearth-Session': 'body' }];
  for (const headers of others) {
    const response = await api.call('login', { body: { username, password }, headers });
    assert.deepEqual(response.headers.getSetCookie(), []);
    assert.ok(response.body.refreshToken!.length > 0);
  }
});

test('marks the cookie as Secure behind a TLS proxy or with an https public URL', async () => {
  const user = await api.signUp();
  const isSecure = async (config: Partial<TestApi['deps']['config']>, headers: Record<string, string> = {}) => {
    const server = await startTestApi({ sharedWith: api, config });
    const { username, password } = user;
    const response = await server.call('login', { body: { username, password }, headers: { ...asPage, ...headers } });
    await server.stop();
    return cookieOf(response).attributes.includes('Secure');
  };
  const forwarded = { 'x-forwarded-proto': 'https' };
  assert.equal(await isSecure({}, forwarded), false, 'behind an untrusted proxy');
  assert.equal(await isSecure({ trustedProxies: ['loopback'] }, forwarded), true);
  assert.equal(await isSecure({ trustedProxies: ['loopback'] }), false);
  assert.equal(await isSecure({ publicUrl: 'https://photos.example.org' }), true);
});

test('refreshes with the token of the cookie and sets its successor', async () => {
  const user = await api.signUp();
  const { cookie } = await signIn(user);
  const response = await refresh(`a=b; ${cookie}; c=d`);
  assert.deepEqual([response.status, Object.keys(response.body)], [200, ['accessToken']]);
  const next = cookieOf(response);
  assert.notEqual(next.pair, cookie);
  assert.deepEqual(next.attributes, ['HttpOnly', 'Max-Age=2592000', 'Path=/v1/auth', 'SameSite=Strict']);
  assert.equal((await refresh(next.pair)).status, 200);
  assert.ok(await isSignedIn(response.body.accessToken));
});

test('uses the cookie only with the header, and then nothing else', async () => {
  const { cookie, token } = await signIn(await api.signUp());
  assert.equal((await refresh(cookie, api, {})).status, 401);
  assert.equal((await refresh(cookie, api, { 'X-Hearth-Session': 'yes' })).status, 401);
  assert.equal((await api.call('logout', { headers: { cookie } })).status, 401);
  const refreshToken = cookie.slice('hearth_session='.length);
  assert.equal((await api.call('refresh', { headers: asPage, body: { refreshToken } })).status, 401);
  assert.ok(await isSignedIn(token));
  assert.equal((await refresh(cookie)).status, 200);
});

test('two tabs that refresh at once on two replicas get the same cookie', async () => {
  const { cookie } = await signIn(await api.signUp());
  const responses = await Promise.all([refresh(cookie), refresh(cookie, other), refresh(cookie)]);
  const [next, ...same] = responses.map((response) => cookieOf(response).pair);
  assert.deepEqual(same, [next, next]);
  assert.equal((await refresh(next!, other)).status, 200);
});

test('a reused old cookie ends the session and is cleared', async () => {
  const user = await api.signUp();
  const { cookie } = await signIn(user);
  const next = cookieOf(await refresh(cookie)).pair;
  await endGracePeriod(user.id);
  const reused = await refresh(cookie);
  assert.deepEqual([reused.status, clearsSession(reused)], [401, true]);
  assert.equal((await refresh(next)).status, 401);
});

test('rejects and clears a cookie without a session on refresh and logout', async () => {
  for (const text of [createRefreshToken().text, 'nonsense', '']) {
    const cookie = `hearth_session=${text}`;
    for (const response of [await refresh(cookie), await api.call('logout', { headers: { ...asPage, cookie } })])
      assert.deepEqual(
        [response.status, response.error.code, clearsSession(response)],
        [401, 'UNAUTHORIZED', true],
        text,
      );
  }
});

test('logs out by cookie without an access token, on all replicas, and clears the cookie', async () => {
  const { cookie, token } = await signIn(await api.signUp());
  const response = await api.call('logout', { headers: { ...asPage, cookie } });
  assert.deepEqual([response.status, clearsSession(response)], [204, true]);
  assert.equal(await isSignedIn(token), false);
  assert.equal((await refresh(cookie, other)).status, 401);
});

test('logs out by access token with and without a cookie', async () => {
  const [plain, page] = [await api.signUp(), await signIn(await api.signUp())];
  const withoutCookie = await plain.call('logout');
  assert.deepEqual([withoutCookie.status, clearsCachedPictures(withoutCookie)], [204, false]);
  const call = createClient(api.url, `Bearer ${page.token}`);
  const response = await call('logout', { headers: asPage });
  assert.deepEqual([response.status, clearsSession(response)], [204, true]);
  assert.equal((await refresh(page.cookie)).status, 401);
});

test("a login ends the browser's previous session, and a logout with a token of another session ends both", async () => {
  const user = await api.signUp();
  const first = await signIn(user);
  const second = await signIn(user, first.cookie);
  assert.deepEqual([await isSignedIn(first.token), await isSignedIn(second.token)], [false, true]);
  assert.deepEqual([clearsCachedPictures(first.response), clearsCachedPictures(second.response)], [false, true]);
  const third = await signIn(user);
  await createClient(api.url, `Bearer ${second.token}`)('logout', { headers: { ...asPage, cookie: third.cookie } });
  assert.deepEqual([await isSignedIn(second.token), await isSignedIn(third.token)], [false, false]);
  assert.equal(await isSignedIn(user.token), true);
});

test('the event stream of a page ends with its session, whatever ends the session', async () => {
  const endings: readonly ((
    page: { cookie: string },
    user: Awaited<ReturnType<TestApi['signUp']>>,
  ) => Promise<unknown>)[] = [
    ({ cookie }) => api.call('logout', { headers: { ...asPage, cookie } }),
    (_page, { call }) => call('endOtherSessions'),
    (_page, { call, password }) =>
      call('changePassword', { body: { currentPassword: password, newPassword: `${password}, changed` } }),
    async (_page, { call }) => {
      const ended = (await call('listSessions')).body.find(({ current }) => !current);
      await call('endSession', { params: { id: ended!.id } });
    },
    async ({ cookie }, { id }) => {
      await refresh(cookie);
      await endGracePeriod(id);
      await refresh(cookie);
    },
    (_page, { id }) => api.callAsAdmin('deleteUser', { params: { id } }),
  ];
  for (const end of endings) {
    const user = await api.signUp();
    const page = await signIn(user);
    const stream = await readEvents(other.url, page.token);
    await stream.until(({ event }) => event === 'ready');
    await end(page, user);
    assert.equal(await stream.ended, true);
    const again = await createClient(other.url, `Bearer ${page.token}`)('watchEvents');
    assert.equal(again.status, 401);
  }
});

test("marks a page's own session in the list", async () => {
  const user = await api.signUp();
  const page = await signIn(user);
  const { body } = await createClient(api.url, `Bearer ${page.token}`)('listSessions');
  assert.deepEqual(
    body.map(({ current }) => current),
    [true, false],
  );
});
