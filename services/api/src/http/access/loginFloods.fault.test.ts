import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { transaction } from '@hearth/core/db/database.ts';
import { countBlocked, lockTables, waitUntilBlocked } from '@hearth/testkit/database/blockedQueries.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { clearLoginAttempts } from '@hearth/testkit/api/loginAttempts.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const proxy = await startTcpProxy();
const api = await startTestApi({ proxy, config: { trustedProxies: ['loopback'] } });
const direct = await startTestApi({ sharedWith: api });
after(async () => {
  await direct.stop();
  await api.stop();
  await proxy.cut();
});
beforeEach(() => clearLoginAttempts(api));

const logIn = async (username: string, address: string, password = 'wrong') =>
  api.call('login', { body: { username, password }, headers: { 'x-forwarded-for': address } });

test('repeats a refusal without a database query', async () => {
  const { username } = await api.signUp();
  for (let i = 0; i < 5; i++) assert.equal((await logIn(username, '203.0.113.1')).status, 401);
  assert.equal((await logIn(username, '203.0.113.1')).status, 429);
  await proxy.cut();
  const responses = await Promise.all(Array.from({ length: 50 }, () => logIn(username, '203.0.113.1')));
  await proxy.open();
  for (const { status, error, headers } of responses) {
    assert.deepEqual([status, error.code], [429, 'TOO_MANY_ATTEMPTS']);
    const seconds = Number(headers.get('retry-after'));
    assert.ok(seconds > 0 && seconds <= 60, `${seconds} s`);
  }
});

test('runs at most two sign-ins in the database at once, without delaying signed-in users', async () => {
  const { call } = await api.signUp();
  const db = direct.deps.db;
  let attempts: ReturnType<typeof logIn>[] = [];
  await transaction(db, async (trx) => {
    await lockTables(trx, ['known_networks', 'login_attempts']);
    attempts = Array.from({ length: 24 }, (_, i) => logIn(randomUUID(), `203.0.113.${i}`));
    await waitUntilBlocked(db, 'known_networks');
    for (let i = 0; i < 5; i++) assert.equal((await call('listMediaItems')).status, 200);
    assert.ok((await countBlocked(db)) <= 2);
  });
  for (const { status } of await Promise.all(attempts)) assert.equal(status, 401);
});

test('a flood from one network delays other networks by at most one attempt', async () => {
  const { username, password } = await api.signUp();
  const flood = Array.from({ length: 200 }, () => logIn(randomUUID(), '203.0.113.1'));
  assert.equal((await logIn(username, '198.51.100.7', password)).status, 200);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 20);
  assert.equal(statuses.filter((status) => status === 429 || status === 503).length, 180);
});

test('a flood from many networks of one IPv6 site does not displace other clients', async () => {
  const { username, password } = await api.signUp();
  let refused = 0;
  const flood = (count: number, site: string) =>
    Array.from({ length: count }, async (_, i) => {
      const { status } = await logIn(randomUUID(), `${site}:${i.toString(16)}::1`);
      if (status === 503) refused += 1;
    });
  const areRefused = (): boolean => refused >= 50;
  const { floods, honest } = await transaction(direct.deps.db, async (trx) => {
    await lockTables(trx, ['known_networks', 'login_attempts']);
    const first = flood(2, '2001:db8:1');
    await waitUntilBlocked(direct.deps.db, 'known_networks');
    const honest = logIn(username, '198.51.100.7', password);
    const rest = flood(150, '2001:db8:1');
    await waitUntil('the flood is refused', areRefused);
    return { floods: [...first, ...rest], honest };
  });
  await Promise.all(floods);
  assert.equal((await honest).status, 200);
});
