import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import type { AuditEntry } from '@hearth/contract/audit.ts';
import { trimAuditLog } from '../../accounts/auditLog.ts';
import { createClient, type ApiResponse } from '@hearth/testkit/api/client.ts';
import { clearLoginAttempts } from '@hearth/testkit/api/loginAttempts.ts';
import { admin, toBasicAuth, startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi({ config: { trustedProxies: ['loopback'], logLevel: 'error' } });
after(() => api.stop());

const headers = { 'x-forwarded-for': '2001:db8:1:2:3:4:5:6' };

/** Returns the entries after this id, oldest first. */
const since = async (id: number): Promise<AuditEntry[]> =>
  (await api.callAsAdmin('listAudit', { query: { limit: 200 } })).body.filter((entry) => entry.id > id).toReversed();

const latestId = async (): Promise<number> => (await api.callAsAdmin('listAudit')).body[0]?.id ?? 0;

const actionsOf = (entries: readonly AuditEntry[]) => entries.map(({ action }) => action);

test('records sign-ins, failures, lockouts, refreshes and sign-outs with the full address', async () => {
  const { id, username, password } = await api.signUp();
  const begin = await latestId();
  const secrets: string[] = [];
  const logIn = async (as: string, tried: string) =>
    api.call('login', { body: { username: as, password: tried }, headers });
  const { accessToken, refreshToken } = (await logIn(username, password)).body;
  secrets.push(accessToken, refreshToken!, password);
  for (let i = 0; i < 8; i++) await logIn(username, 'wrong');
  await logIn('a password in the wrong place', 'wrong');
  const successor = (await api.call('refresh', { body: { refreshToken }, headers })).body.refreshToken;
  await api.deps.db
    .updateTable('sessions')
    .set({ refreshed_at: new Date(0) })
    .where('user_id', '=', id)
    .execute();
  assert.equal((await api.call('refresh', { body: { refreshToken }, headers })).status, 401);
  secrets.push(successor!);
  await clearLoginAttempts(api);
  const again = (await logIn(username, password)).body.accessToken;
  const { headers: logoutHeaders } = await createClient(api.url, `Bearer ${again}`)('logout', { headers });

  const entries = await since(begin);
  assert.deepEqual(actionsOf(entries), [
    'SIGNED_IN',
    ...Array<string>(5).fill('SIGN_IN_FAILED'),
    'LOCKED_OUT',
    'SIGN_IN_FAILED',
    'REFRESH_TOKEN_REUSED',
    'SIGNED_IN',
    'SIGNED_OUT',
  ]);
  for (const entry of entries) assert.equal(entry.address, '2001:db8:1:2:3:4:5:6');
  assert.equal(entries.filter(({ userId }) => userId === id).length, entries.length - 1, 'all but the unknown name');
  assert.equal(entries.at(-1)?.requestId, logoutHeaders.get('x-request-id'));
  const kept = JSON.stringify(await api.deps.db.selectFrom('audit_log').selectAll().execute());
  for (const secret of [...secrets, 'a password in the wrong place']) assert.ok(!kept.includes(secret), secret);
});

test('records administrator actions and failed administrator sign-ins', async () => {
  await clearLoginAttempts(api);
  const begin = await latestId();
  const callAsAdmin = createClient(api.url, toBasicAuth(admin));
  const body = { name: 'Ada', username: randomUUID(), password: 'a password' };
  const { id } = (await callAsAdmin('createUser', { body, headers })).body;
  await callAsAdmin('updateUser', { params: { id }, body: { password: 'another password' }, headers });
  await callAsAdmin('updateUser', { params: { id: randomUUID() }, body: { name: 'nobody' }, headers });
  await callAsAdmin('deleteUser', { params: { id }, headers });
  for (let i = 0; i < 6; i++)
    await createClient(api.url, toBasicAuth({ ...admin, password: 'x' }))('listUsers', { headers });
  const entries = await since(begin);
  assert.deepEqual(actionsOf(entries), [
    'SIGNED_IN',
    'USER_CREATED',
    'USER_CHANGED',
    'USER_DELETED',
    ...Array<string>(5).fill('SIGN_IN_FAILED'),
    'LOCKED_OUT',
  ]);
  assert.deepEqual(
    entries.map(({ actor }) => actor),
    [...Array<string>(4).fill('ADMINISTRATOR'), ...Array<string>(6).fill('NOBODY')],
  );
  for (const { userId } of entries.slice(1, 4)) assert.equal(userId, id);
  await clearLoginAttempts(api);
});

test('records changes of passwords, sessions and shares, but never the id that opens a share', async () => {
  const { id: userId, username, password, call: oldCall } = await api.signUp();
  const { body: tokens } = await api.call('login', { body: { username, password } });
  const begin = await latestId();
  const body = { currentPassword: password, newPassword: 'a password of mine' };
  const call = createClient(api.url, `Bearer ${(await oldCall('changePassword', { body })).body.accessToken}`);
  assert.equal((await createClient(api.url, `Bearer ${tokens.accessToken}`)('getFeatures')).status, 401);
  await api.call('login', { body: { username, password: 'a password of mine' } });
  const session = (await call('listSessions')).body.find(({ current }) => !current)!;
  await call('endSession', { params: { id: session.id } });
  await call('endOtherSessions');
  const { id } = (await call('createAlbum', { body: { name: 'A', shared: true } })).body;
  await call('updateAlbum', { params: { id }, body: { name: 'B' } });
  await call('updateAlbum', { params: { id }, body: { shared: false } });
  await call('createAlbum', { body: { name: 'for myself' } });
  await call('deleteAlbum', { params: { id } });
  const entries = await since(begin);
  assert.deepEqual(actionsOf(entries), [
    'PASSWORD_CHANGED',
    'SIGNED_IN',
    'SESSION_ENDED',
    'OTHER_SESSIONS_ENDED',
    'ALBUM_SHARED',
    'ALBUM_UNSHARED',
    'ALBUM_DELETED',
  ]);
  for (const entry of entries) assert.deepEqual([entry.userId, entry.actor], [userId, 'USER']);
  const subjects = new Set(entries.slice(-3).map(({ subject }) => subject));
  assert.equal(subjects.size, 1);
  assert.ok(!JSON.stringify(entries).includes(id));
});

test('pages through all entries once, for the administrator only', async () => {
  const all = (await api.callAsAdmin('listAudit', { query: { limit: 200 } })).body.map(({ id }) => id);
  assert.deepEqual(
    all,
    all.toSorted((one, other) => other - one),
  );
  const walked: number[] = [];
  let query: Record<string, string | number> | undefined = { limit: 4 };
  while (query !== undefined) {
    const page: ApiResponse<AuditEntry[]> = await api.callAsAdmin('listAudit', { query });
    walked.push(...page.body.map(({ id }) => id));
    const next: string | undefined = /^<([^>]*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    query = next === undefined ? undefined : Object.fromEntries(new URL(next, api.url).searchParams);
  }
  assert.deepEqual(walked, all);
  const user = await api.signUp();
  for (const call of [api.call, user.call]) assert.equal((await call('listAudit')).status, 401);
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

test('deletes only entries older than 90 days, in batches', async () => {
  const { db } = api.deps;
  const entry = { action: 'SIGNED_OUT', actor: 'USER' };
  const old = Array.from({ length: 2_500 }, () => ({ ...entry, at: daysAgo(91) }));
  const before = await db.selectFrom('audit_log').select('id').execute();
  await db.insertInto('audit_log').values(old).execute();
  await db
    .insertInto('audit_log')
    .values({ ...entry, at: daysAgo(89) })
    .execute();
  assert.equal(await trimAuditLog(db), 2_500);
  assert.equal((await db.selectFrom('audit_log').select('id').execute()).length, before.length + 1);
});

test('keeps only the latest failed sign-ins, but all other entries', async () => {
  const { db } = api.deps;
  const count = async (isFailure: boolean): Promise<number> =>
    (
      await db
        .selectFrom('audit_log')
        .select('id')
        .where('action', isFailure ? '=' : '!=', 'SIGN_IN_FAILED')
        .execute()
    ).length;
  const others = await count(false);
  const failure = { action: 'SIGN_IN_FAILED', actor: 'NOBODY' };
  await db
    .insertInto('audit_log')
    .values(Array.from({ length: 30 }, () => failure))
    .execute();
  await trimAuditLog(db, 10);
  assert.deepEqual([await count(true), await count(false)], [10, others]);
});
