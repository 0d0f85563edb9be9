import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import type { Session } from '@hearth/contract/sessions.ts';
import { createClient, type ApiResponse, type Client } from '@hearth/testkit/api/client.ts';
import { clearLoginAttempts } from '@hearth/testkit/api/loginAttempts.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import type { TestUser } from '@hearth/testkit/api/testUser.ts';

const api = await startTestApi({ config: { trustedProxies: ['loopback'] } });
after(() => api.stop());

/** Signs in again from another device and network. */
const signIn = async ({ username, password }: Pick<TestUser, 'username' | 'password'>, device = 'a phone') => {
  const headers = { 'user-agent': device, 'x-forwarded-for': '203.0.113.7' };
  const { status, body } = await api.call('login', { body: { username, password }, headers });
  assert.equal(status, 200);
  return { ...body, call: createClient(api.url, `Bearer ${body.accessToken}`) };
};

const isSignedIn = async (call: Client): Promise<boolean> => (await call('getFeatures')).status === 200;

const change = (call: Client, currentPassword: string, newPassword: string) =>
  call('changePassword', { body: { currentPassword, newPassword } });

test("changes the user's own password, renews this session and ends all others", async () => {
  const user = await api.signUp();
  const [laptop, phone] = [await signIn(user, 'a laptop'), await signIn(user)];
  const newPassword = `${user.password}, changed`;
  const changed = await change(laptop.call, user.password, newPassword);
  assert.equal(changed.status, 200);
  const renewed = createClient(api.url, `Bearer ${changed.body.accessToken}`);
  assert.deepEqual(await Promise.all([renewed, laptop.call, phone.call, user.call].map(isSignedIn)), [
    true,
    false,
    false,
    false,
  ]);
  const [session, ...others] = (await renewed('listSessions')).body;
  assert.deepEqual([session?.current, session?.device, others.length], [true, 'a laptop', 0]);
  assert.equal((await api.call('refresh', { body: { refreshToken: laptop.refreshToken } })).status, 401);
  assert.equal((await api.call('refresh', { body: { refreshToken: changed.body.refreshToken } })).status, 200);
  const { username, password } = user;
  assert.equal((await api.call('login', { body: { username, password } })).status, 401);
  await signIn({ username, password: newPassword });
  const refreshed = await api.call('refresh', { body: { refreshToken: phone.refreshToken } });
  assert.equal(refreshed.status, 401);
});

test('a wrong current password changes nothing, is reported, and counts like a failed sign-in', async () => {
  const user = await api.signUp();
  for (let i = 0; i < 5; i++) {
    const { status, error } = await change(user.call, 'wrong', 'a password of mine');
    assert.deepEqual([status, error.errors?.[0]?.path], [400, 'body.currentPassword']);
  }
  assert.equal((await change(user.call, user.password, 'a password of mine')).status, 429);
  await clearLoginAttempts(api);
  await signIn(user);
});

test('rejects common passwords in every route that sets one', async () => {
  const user = await api.signUp();
  const created = await api.callAsAdmin('createUser', {
    body: { name: 'A', username: randomUUID(), password: 'Password1' },
  });
  const updated = await api.callAsAdmin('updateUser', { params: { id: user.id }, body: { password: 'qwertyuiop' } });
  const changed = await change(user.call, user.password, 'iloveyou');
  assert.deepEqual(
    [created, updated, changed].map(({ status, error }) => [status, error.errors?.[0]?.path]),
    [
      [400, 'body.password'],
      [400, 'body.password'],
      [400, 'body.newPassword'],
    ],
  );
  await signIn(user);
});

test("lists the user's own sessions, latest first", async () => {
  const user = await api.signUp();
  const phone = await signIn(user, 'Hearth/1.0 (a phone)');
  await api.signUp();
  const [first, second, ...more] = (await user.call('listSessions')).body;
  assert.deepEqual(more, []);
  assert.deepEqual([first?.device, first?.network, first?.current], ['Hearth/1.0 (a phone)', '203.0.113.7', false]);
  assert.deepEqual([second?.network, second?.current], ['127.0.0.1', true]);
  assert.deepEqual(
    (await phone.call('listSessions')).body.map(({ current }) => current),
    [true, false],
  );
  const headers = { 'user-agent': 'Hearth/2.0', 'x-forwarded-for': '198.51.100.9' };
  await api.call('refresh', { body: { refreshToken: phone.refreshToken }, headers });
  const [refreshed] = (await user.call('listSessions')).body;
  assert.deepEqual([refreshed?.device, refreshed?.network], ['Hearth/2.0', '198.51.100.9']);
  assert.ok(refreshed!.lastUsedAt > first!.lastUsedAt && refreshed!.createdAt === first!.createdAt);
});

test('pages through all sessions once, even while new ones are opened', async () => {
  const user = await api.signUp();
  for (let i = 0; i < 4; i++) await signIn(user);
  const all = (await user.call('listSessions')).body.map(({ id }) => id);
  const walked: string[] = [];
  let query: Record<string, string | number> | undefined = { limit: 2 };
  while (query !== undefined) {
    const page: ApiResponse<Session[]> = await user.call('listSessions', { query });
    walked.push(...page.body.map(({ id }) => id));
    await signIn(user);
    const next: string | undefined = /^<([^>]*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    query = next === undefined ? undefined : Object.fromEntries(new URL(next, api.url).searchParams);
  }
  assert.deepEqual(walked, all);
});

test('ends one session or all others at once, but never those of other users', async () => {
  const [user, stranger] = [await api.signUp(), await api.signUp()];
  const [phone, tablet, laptop] = [await signIn(user), await signIn(user), await signIn(user)];
  const [{ id }] = (await user.call('listSessions', { query: { limit: 1 } })).body as [Session];
  assert.equal((await stranger.call('endSession', { params: { id } })).error.message, 'session not found');
  assert.equal(await isSignedIn(laptop.call), true);
  assert.equal((await user.call('endSession', { params: { id } })).status, 204);
  assert.equal(await isSignedIn(laptop.call), false);
  assert.equal((await user.call('endSession', { params: { id } })).status, 404);
  assert.equal((await user.call('endSession', { params: { id: 'this one' } })).status, 400);
  assert.equal((await phone.call('endOtherSessions')).status, 204);
  assert.deepEqual([await isSignedIn(phone.call), await isSignedIn(tablet.call)], [true, false]);
  assert.deepEqual([await isSignedIn(user.call), await isSignedIn(stranger.call)], [false, true]);
});
