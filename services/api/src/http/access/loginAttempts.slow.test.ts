import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { createClient, type RouteName } from '@hearth/testkit/api/client.ts';
import { clearLoginAttempts, advanceTime } from '@hearth/testkit/api/loginAttempts.ts';
import { admin, toBasicAuth, startTestApi, type TestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const other = await startTestApi({ sharedWith: api });
const behindProxy = await startTestApi({ sharedWith: api, config: { trustedProxies: ['loopback', '10.0.0.0/8'] } });
after(async () => {
  await Promise.all([other.stop(), behindProxy.stop()]);
  await api.stop();
});

// All attempts come from one address.
beforeEach(() => clearLoginAttempts(api, other, behindProxy));

interface Attempt {
  readonly username?: string;
  readonly password?: string;
  readonly replica?: TestApi;
  readonly forwardedFor?: string;
}

const logIn = async ({ username = randomUUID(), password = 'wrong', replica = api, forwardedFor }: Attempt) =>
  replica.call('login', {
    body: { username, password },
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  });

/** Makes this many failing attempts, all with status 401. */
const fail = async (attempt: Attempt, times: number): Promise<void> => {
  for (let i = 0; i < times; i++) assert.equal((await logIn(attempt)).status, 401);
};

const advanceClock = (seconds: number) => advanceTime(seconds, api, other, behindProxy);

const countHashes = async (): Promise<number> => (await metrics.passwordHashes.get()).values[0]?.value ?? 0;

/** Number of password hashes computed by an attempt, whatever its status. */
const countHashesDuring = async (attempt: Attempt): Promise<number> => {
  const before = await countHashes();
  await logIn(attempt);
  return (await countHashes()) - before;
};

test('rejects the attempt after five failures for an account, even with the right password, on every replica', async () => {
  const { username, password } = await api.signUp();
  await fail({ username }, 4);
  await fail({ username: username.toUpperCase(), replica: other }, 1);
  for (const replica of [api, other]) {
    for (const tried of ['wrong', password]) {
      const { status, error, headers } = await logIn({ username, password: tried, replica });
      assert.deepEqual([status, error.code], [429, 'TOO_MANY_ATTEMPTS']);
      const seconds = Number(headers.get('retry-after'));
      assert.ok(seconds > 30 && seconds <= 60, `${seconds} s`);
      assert.equal(headers.get('www-authenticate'), null);
    }
  }
  const neighbour = await api.signUp();
  assert.equal((await logIn(neighbour)).status, 200);
});

const asAdministrator = (password: string, address: string) =>
  createClient(behindProxy.url, toBasicAuth({ ...admin, password }))('listUsers', {
    headers: { 'x-forwarded-for': address },
  });

test('failures from one network do not lock an account or the administrator out elsewhere', async () => {
  const { username, password } = await api.signUp();
  const from = (forwardedFor: string) => ({ username, replica: behindProxy, forwardedFor });
  await fail(from('203.0.113.1'), 5);
  assert.equal((await logIn({ ...from('203.0.113.1'), password })).status, 429);
  assert.equal((await logIn({ ...from('198.51.100.7'), password })).status, 200);
  for (let i = 0; i < 5; i++) assert.equal((await asAdministrator('wrong', '203.0.113.2')).status, 401);
  assert.equal((await asAdministrator(admin.password, '203.0.113.2')).status, 429);
  assert.equal((await asAdministrator(admin.password, '198.51.100.7')).status, 200);
});

test('slows down failures from many networks, but not a network that recently signed in', async () => {
  const { username, password } = await api.signUp();
  const from = (network: number) => ({ username, replica: behindProxy, forwardedFor: `2001:db8:${network}::1` });
  assert.equal((await logIn({ ...from(1_000), password })).status, 200);
  for (let network = 0; network < 10; network++) await fail(from(network), 5);
  const { status, headers } = await logIn({ ...from(2_000), password });
  const seconds = Number(headers.get('retry-after'));
  assert.ok(status === 429 && seconds > 0 && seconds <= 30, `${status} ${seconds}`);
  assert.equal((await logIn({ ...from(1_000), password })).status, 200);
  await advanceClock(30);
  assert.equal((await logIn({ ...from(2_000), password })).status, 200);
});

test('allows the account to sign in again after a minute', async () => {
  const { username, password } = await api.signUp();
  await fail({ username }, 5);
  await advanceClock(30);
  const seconds = Number((await logIn({ username, password })).headers.get('retry-after'));
  assert.ok(seconds > 0 && seconds <= 30, `${seconds} s`);
  await advanceClock(30);
  assert.equal((await logIn({ username, password })).status, 200);
});

test('clears the count of the account after a success', async () => {
  const { username, password } = await api.signUp();
  await fail({ username }, 4);
  assert.equal((await logIn({ username, password })).status, 200);
  await fail({ username }, 4);
  assert.equal((await logIn({ username, password })).status, 200);
});

test('treats unknown usernames like existing ones, attempt by attempt', async () => {
  const { username } = await api.signUp();
  for (let i = 0; i < 7; i++) {
    assert.equal((await logIn({ username: 'nobody' })).status, (await logIn({ username })).status);
  }
});

test('computes one hash for a wrong name, a wrong or right password, and none for a refusal', async () => {
  const { username, password } = await api.signUp();
  assert.deepEqual(
    [
      await countHashesDuring({ username, password }),
      await countHashesDuring({}),
      await countHashesDuring({ username }),
    ],
    [1, 1, 1],
  );
  await fail({ username }, 4);
  await fail({ username: 'nobody' }, 5);
  assert.deepEqual(
    [await countHashesDuring({ username, password }), await countHashesDuring({ username: 'nobody' })],
    [0, 0],
  );
});

test('does not count invalid requests as attempts', async () => {
  const { username, password } = await api.signUp();
  for (let i = 0; i < 6; i++) assert.equal((await api.call('login', { body: { username } })).status, 400);
  assert.equal((await logIn({ username, password })).status, 200);
});

test('checks five of fifty concurrent wrong passwords on two replicas', async () => {
  const { username } = await api.signUp();
  const before = await countHashes();
  const calls = Array.from({ length: 50 }, (_, i) => logIn({ username, replica: i % 2 === 0 ? api : other }));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 5);
  assert.equal(statuses.filter((status) => status === 429).length, 45);
  assert.equal((await countHashes()) - before, 5);
});

test('allows any number of concurrent sign-ins with the right password', async () => {
  const { username, password } = await api.signUp();
  const calls = Array.from({ length: 30 }, (_, i) => logIn({ username, password, replica: i % 2 === 0 ? api : other }));
  for (const { status } of await Promise.all(calls)) assert.equal(status, 200);
});

test('refuses an address after twenty failures, for any account', async () => {
  const { username, password } = await api.signUp();
  await fail({}, 20);
  assert.equal((await logIn({ username, password })).status, 429);
  assert.equal((await logIn({ username, password, replica: other })).status, 429);
});

test('does not clear the count of the address after a success', async () => {
  const { username, password } = await api.signUp();
  await fail({}, 19);
  assert.equal((await logIn({ username, password })).status, 200);
  await fail({}, 1);
  assert.equal((await logIn({})).status, 429);
});

test('ignores X-Forwarded-For from an untrusted peer', async () => {
  const { username, password } = await api.signUp();
  for (let i = 0; i < 20; i++) await fail({ forwardedFor: `203.0.113.${i}` }, 1);
  assert.equal((await logIn({ username, password, forwardedFor: '198.51.100.7' })).status, 429);
});

test('uses the right-most address that is not a trusted proxy', async () => {
  const { username, password } = await api.signUp();
  const attempt = { username, password, replica: behindProxy };
  for (let i = 0; i < 20; i++) {
    await fail({ replica: behindProxy, forwardedFor: `203.0.113.${i}, 198.51.100.7, 10.1.2.3` }, 1);
  }
  assert.equal((await logIn({ ...attempt, forwardedFor: '203.0.113.99, 198.51.100.7' })).status, 429);
  assert.equal((await logIn({ ...attempt, forwardedFor: '198.51.100.7:4711' })).status, 429);
  assert.equal((await logIn({ ...attempt, forwardedFor: '198.51.100.7, 203.0.113.99' })).status, 200);
  assert.equal((await logIn(attempt)).status, 200);
});

test('counts IPv6 addresses by their 64-bit network', async () => {
  const { username, password } = await api.signUp();
  const attempt = { username, password, replica: behindProxy };
  for (let i = 0; i < 20; i++) await fail({ replica: behindProxy, forwardedFor: `2001:db8:1:2:${i}::${i}` }, 1);
  assert.equal((await logIn({ ...attempt, forwardedFor: '2001:0db8:0001:0002::ffff' })).status, 429);
  assert.equal((await logIn({ ...attempt, forwardedFor: '2001:db8:1:3::1' })).status, 200);
});

const basicRoutes = (Object.entries(routes) as [RouteName, Route][]).filter(([, { auth }]) => auth === 'basic');

test("limits the administrator's password on all routes together", async () => {
  const asWrong = createClient(api.url, toBasicAuth({ ...admin, password: 'wrong' }));
  const params = { id: randomUUID() };
  assert.ok(basicRoutes.length >= 5);
  for (const [name] of basicRoutes.slice(0, 5)) assert.equal((await asWrong(name, { params })).status, 401, name);
  for (const [name] of basicRoutes) {
    for (const call of [asWrong, api.callAsAdmin, other.callAsAdmin]) {
      const { status, error } = await call(name, { params });
      assert.deepEqual([status, error.code], [429, 'TOO_MANY_ATTEMPTS'], name);
    }
  }
  await advanceClock(60);
  assert.equal((await api.callAsAdmin('listUsers')).status, 200);
});

test("clears the administrator's count after a success", async () => {
  const asWrong = createClient(api.url, toBasicAuth({ ...admin, password: 'wrong' }));
  for (let i = 0; i < 12; i++) {
    assert.equal((await asWrong('listUsers')).status, 401);
    if (i % 4 === 3) assert.equal((await api.callAsAdmin('listUsers')).status, 200);
  }
});

test('returns 401 for only five of fifty concurrent wrong administrator passwords', async () => {
  const calls = Array.from({ length: 50 }, (_, i) =>
    createClient((i % 2 === 0 ? api : other).url, toBasicAuth({ ...admin, password: `wrong ${i}` }))('listUsers'),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 5);
  assert.equal(statuses.filter((status) => status === 429).length, 45);
});

test('does not count administrator requests without a username as attempts', async () => {
  const nameAlone = Buffer.from(admin.username).toString('base64');
  for (const authorization of [undefined, 'Basic', 'Basic %%%', `Basic ${nameAlone}`, 'Bearer x']) {
    for (let i = 0; i < 6; i++) {
      assert.equal((await createClient(api.url, authorization)('listUsers')).status, 401);
    }
  }
  assert.equal((await api.callAsAdmin('listUsers')).status, 200);
});

test('treats an administrator name that the database cannot store as wrong', async () => {
  for (const username of ['\0', 'keeper\0', '\ud800', 'x'.repeat(5_000)]) {
    assert.equal((await createClient(api.url, toBasicAuth({ username, password: 'x' }))('listUsers')).status, 401);
  }
});

test("a user with the administrator's name does not lock the administrator out", async () => {
  await fail({ username: admin.username }, 5);
  assert.equal((await logIn({ username: admin.username })).status, 429);
  assert.equal((await api.callAsAdmin('listUsers')).status, 200);
});

test('failures from one address also count for the administrator', async () => {
  await fail({}, 20);
  assert.equal((await api.callAsAdmin('listUsers')).status, 429);
});
