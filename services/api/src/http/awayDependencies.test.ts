import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import { createClient, fetchLink, type CallOptions, type RouteName } from '../testing/client.ts';
import { fileUpload } from '../testing/multipart.ts';
import { admin, basic, startTestApi, type TestApi } from '../testing/testApi.ts';
import { startTcpProxy } from '../testing/tcpProxy.ts';
import { nextPhoto } from '../testing/testUser.ts';

const proxy = await startTcpProxy();
const api = await startTestApi({ proxy });
const emptyApi = await startTestApi({ isMigrated: false });
const user = await api.signUp();
after(async () => {
  await Promise.all([api.stop(), emptyApi.stop()]);
  await proxy.cut();
});

const all = Object.entries(routes) as [RouteName, Route][];
/** Routes that ask the database, with what makes them ask it. */
const asking = all.filter(
  ([name, { auth }]) => auth === 'bearer' || auth === 'basic' || name === 'login' || name === 'getReadiness',
);

const validCalls: Partial<Record<RouteName, CallOptions>> = {
  createUser: { body: { name: 'Ada', username: 'ada', password: 'a password' } },
  updateUser: { body: { name: 'Ada' } },
  login: { body: { username: 'ada', password: 'a password' } },
};

/** Calls with credentials that are right as far as can be said without a database. */
const callWithoutDatabase = async ({ url, deps }: TestApi, name: RouteName) => {
  const token = await deps.tokens.issue({ sessionId: randomUUID(), userId: randomUUID() });
  const authorization = routes[name].auth === 'basic' ? basic(admin) : `Bearer ${token}`;
  return createClient(url, authorization)(name, { params: { id: randomUUID() }, ...validCalls[name] });
};

test('with the database away every route that asks it says so, and the process lives', async () => {
  await proxy.cut();
  for (const [name] of asking) {
    const { status, error, headers } = await callWithoutDatabase(api, name);
    assert.deepEqual([status, error.code, headers.get('retry-after')], [503, 'UNAVAILABLE', '5'], name);
    assert.equal(error.message, 'the database is not reachable');
  }
  for (const name of ['getLiveness', 'getVersion', 'getDisk', 'getOpenApiDocument'] as const) {
    assert.equal((await api.call(name)).status, 200, name);
  }
});

test('when the database is back everything goes on, with the same tokens', async () => {
  await proxy.open();
  assert.equal((await api.call('getReadiness')).status, 200);
  assert.equal((await user.call('listMediaItems')).status, 200);
  await user.uploadPhoto();
});

test('the database going away in the middle of many requests makes no other answers than 200 and 503', async () => {
  const statuses = new Set<number>();
  const asking = Array.from({ length: 60 }, async (_, index) => {
    await delay(index * 5);
    statuses.add((await user.call('listMediaItems')).status);
  });
  await delay(100);
  await proxy.cut();
  await delay(100);
  await proxy.open();
  await Promise.all(asking);
  for (const status of statuses) assert.ok(status === 200 || status === 503, String(status));
  assert.equal((await user.call('listMediaItems')).status, 200);
});

test('what nobody foresaw is told without saying what it was', async () => {
  for (const [name] of asking.filter(([name]) => name !== 'getReadiness')) {
    const { status, error } = await callWithoutDatabase(emptyApi, name);
    assert.deepEqual(
      [status, error.code, error.message],
      [500, 'INTERNAL', 'Something went wrong on the server'],
      name,
    );
    assert.deepEqual(Object.keys(error).toSorted(), ['code', 'message', 'requestId']);
  }
});

test('with the queue away uploads are taken and the process is ready', async () => {
  const queueless = await startTestApi({ config: { databaseDirectUrl: 'postgres://nobody:x@127.0.0.1:1/nothing' } });
  const { call } = await queueless.signUp();
  assert.equal((await call('uploadMediaItem', fileUpload(await nextPhoto()))).status, 201);
  assert.equal((await queueless.call('getReadiness')).status, 200);
  await queueless.stop();
});

test('with the store away what needs it says so, and the process is not ready', async () => {
  const storeless = await startTestApi();
  const { call, uploadPhoto, id: userId } = await storeless.signUp();
  const { sourceUrl } = (await call('getMediaItem', { params: { id: await uploadPhoto() } })).body;
  const folder = join(storeless.deps.config.dataDirectory, 'objects');
  await rm(folder, { recursive: true });
  for (const answer of [
    await call('uploadMediaItem', fileUpload(await nextPhoto())),
    await storeless.call('getDisk'),
    await storeless.call('getReadiness'),
  ]) {
    assert.deepEqual([answer.status, answer.error.message], [503, 'the object store is not reachable']);
    assert.equal(answer.headers.get('retry-after'), '5');
  }
  assert.equal((await storeless.call('getLiveness')).status, 200);
  await mkdir(folder);
  await symlink(userId, join(folder, userId));
  assert.equal((await fetchLink(storeless.url, sourceUrl)).status, 503);
  await storeless.stop();
});
