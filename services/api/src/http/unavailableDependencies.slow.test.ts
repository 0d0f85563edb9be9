import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import {
  createClient,
  fetchLink,
  type ApiResponse,
  type CallOptions,
  type RouteName,
} from '@hearth/testkit/api/client.ts';
import { fileUpload } from '@hearth/testkit/api/multipart.ts';
import { admin, toBasicAuth, startTestApi, type TestApi } from '@hearth/testkit/api/testApi.ts';
import { createRefreshToken } from '../accounts/refreshTokens.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';
import { startUpload, tus, uploadType } from '@hearth/testkit/api/uploads.ts';

const proxy = await startTcpProxy();
const api = await startTestApi({ proxy });
const emptyApi = await startTestApi({ isMigrated: false });
const user = await api.signUp();
after(async () => {
  await Promise.all([api.stop(), emptyApi.stop()]);
  await proxy.cut();
});

const allRoutes = Object.entries(routes) as [RouteName, Route][];
/** Routes that query the database. */
const databaseRoutes = allRoutes.filter(
  ([name, { auth }]) =>
    auth === 'bearer' ||
    auth === 'session' ||
    auth === 'basic' ||
    ['login', 'logInOnce', 'refresh', 'getReadiness', 'getSharedAlbum', 'listSharedMediaItems'].includes(name),
);

/** Requests that pass validation and reach the database. */
const validCalls: Partial<Record<RouteName, CallOptions>> = {
  createUser: { body: { name: 'Ada', username: 'ada', password: 'a password' } },
  updateUser: { body: { name: 'Ada' } },
  login: { body: { username: 'ada', password: 'a password' } },
  logInOnce: { body: { code: 'a code' } },
  refresh: { body: { refreshToken: createRefreshToken().text } },
};

/** Calls a route with well-formed credentials, so that the request fails at the database. */
const callWithoutDatabase = async ({ url, deps }: TestApi, name: RouteName) => {
  const token = deps.tokens.issue({ sessionId: randomUUID(), userId: randomUUID() });
  const authorization = routes[name].auth === 'basic' ? toBasicAuth(admin) : `Bearer ${token}`;
  return createClient(url, authorization)(name, {
    params: { id: randomUUID(), monthDate: '0403', month: '2022-04', section: '2022-04' },
    ...validCalls[name],
  });
};

/** Asserts a response that reports the unavailable database. */
const assertUnavailable = (name: RouteName, response: ApiResponse<unknown>): void => {
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '5'], name);
  // A response to HEAD has no body.
  if (routes[name].method === 'head') return;
  assert.deepEqual([response.error.code, response.error.message], ['UNAVAILABLE', 'the database is not reachable']);
};

test('reports an unreachable database on every route that needs it, and stays alive', async () => {
  await proxy.cut();
  for (const [name] of databaseRoutes) assertUnavailable(name, await callWithoutDatabase(api, name));
  for (const name of ['getLiveness', 'getVersion', 'getDisk', 'getOpenApiDocument'] as const) {
    assert.equal((await api.call(name)).status, 200, name);
  }
});

test('recovers with the same tokens when the database is back', async () => {
  await proxy.open();
  assert.equal((await api.call('getReadiness')).status, 200);
  assert.equal((await user.call('listMediaItems')).status, 200);
  await user.uploadPhoto();
});

test('reports a frozen database on every route that needs it, and stays alive', async () => {
  // Covers both an open connection and new ones.
  await user.call('listMediaItems');
  proxy.freeze();
  const responses = databaseRoutes.map(async ([name]) => [name, await callWithoutDatabase(api, name)] as const);
  for (const name of ['getLiveness', 'getVersion', 'getOpenApiDocument'] as const) {
    assert.equal((await api.call(name)).status, 200, name);
  }
  for (const [name, response] of await Promise.all(responses)) assertUnavailable(name, response);
  proxy.thaw();
  await user.uploadPhoto();
});

const listBusyConnections = async (): Promise<unknown[]> =>
  queryOnce(
    api.deps.config.databaseUrl,
    `select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
  );

test('returns 503 if the database freezes during a request, and does not retry the write later', async () => {
  const id = await user.uploadPhoto();
  const { url } = api;
  for (let round = 0; round < 3; round++) {
    const statuses: number[] = [];
    const change = async (index: number): Promise<void> => {
      const body = { description: `${round}/${index}` };
      statuses.push((await user.call('updateMediaItem', { params: { id }, body })).status);
    };
    const before = Array.from({ length: 20 }, (_, index) => change(index));
    await waitUntil('three changes are made', () => statuses.length >= 3);
    proxy.freeze();
    const during = Array.from({ length: 5 }, (_, index) => change(20 + index));
    await Promise.all([...before, ...during]);
    proxy.thaw();
    assert.deepEqual(new Set(statuses), new Set([204, 503]));
    // The database may still execute what it received before the freeze. No request repeats it.
    await waitUntil('the server has nothing left to write', async () => (await listBusyConnections()).length === 0);
    assert.equal((await user.call('updateMediaItem', { params: { id }, body: { description: 'last' } })).status, 204);
    await waitUntil('the server has written it', async () => (await listBusyConnections()).length === 0);
    assert.equal((await user.call('getMediaItem', { params: { id } })).body.description, 'last');
    assert.equal((await createClient(url)('getReadiness')).status, 200);
  }
});

const findClaim = async (id: string): Promise<string | null> =>
  (await api.deps.db.selectFrom('uploads').select('claim_id').where('id', '=', id).executeTakeFirstOrThrow()).claim_id;

for (const [uploadKind, route] of [
  ['a multipart upload', '/v1/mediaItems'],
  ['a resumable upload', '/v1/uploads'],
] as const) {
  test(`${uploadKind} is rejected if the database freezes meanwhile, and can be sent again`, async (t) => {
    const reserve = t.mock.method(api.deps.disk, 'reserve');
    const photo = await makeNextPhoto();
    const isMultipart = route === '/v1/mediaItems';
    const { headers, raw } = isMultipart ? fileUpload(photo) : { headers: {}, raw: photo };
    const id = isMultipart ? '' : await startUpload(user.call, photo.length);
    const sending = request(`${api.url}${route}${isMultipart ? '' : `/${id}`}`, {
      method: isMultipart ? 'POST' : 'PATCH',
      agent: false,
      headers: {
        authorization: `Bearer ${user.token}`,
        'content-length': raw.length,
        ...headers,
        ...(!isMultipart && {
          ...tus,
          'upload-offset': 0,
          'content-type': uploadType,
        }),
      },
    });
    const responded = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.write(raw.subarray(0, raw.length / 2));
    if (isMultipart) await waitUntil('the upload is accepted', () => reserve.mock.callCount() > 0);
    else await waitUntil('the upload is claimed', async () => (await findClaim(id)) !== null);
    proxy.freeze();
    const frozenAt = performance.now();
    sending.end(raw.subarray(raw.length / 2));
    const [response] = await responded;
    t.diagnostic(`responded after ${((performance.now() - frozenAt) / 1_000).toFixed(2)} s`);
    response.resume();
    assert.deepEqual([response.statusCode, response.headers['retry-after']], [503, '5']);
    proxy.thaw();
    const again = await user.call('uploadMediaItem', fileUpload(photo));
    assert.ok(again.status === 200 || again.status === 201, String(again.status));
  });
}

test('responds only with 200 or 503 when the database disappears during many requests', async () => {
  const statuses = new Set<number>();
  const stop = new AbortController();
  const requestLoops = Array.from({ length: 8 }, async () => {
    while (!stop.signal.aborted) statuses.add((await user.call('listMediaItems')).status);
  });
  try {
    await waitUntil('some requests succeed', () => statuses.has(200));
    await proxy.cut();
    await waitUntil('some requests fail', () => statuses.has(503));
    await proxy.open();
  } finally {
    stop.abort();
  }
  await Promise.all(requestLoops);
  for (const status of statuses) assert.ok(status === 200 || status === 503, String(status));
  assert.equal((await user.call('listMediaItems')).status, 200);
});

test('hides the cause of an unexpected error', async () => {
  for (const [name, { method }] of databaseRoutes.filter(([name]) => name !== 'getReadiness')) {
    const response = await callWithoutDatabase(emptyApi, name);
    assert.equal(response.status, 500, name);
    if (method === 'head') continue;
    const { error } = response;
    assert.deepEqual([error.code, error.message], ['INTERNAL', 'Internal server error'], name);
    assert.deepEqual(Object.keys(error).toSorted(), ['code', 'message', 'requestId']);
  }
});

for (const [where, config] of [
  ['the database', { redisUrl: undefined, databaseDirectUrl: 'postgres://nobody:x@127.0.0.1:1/nothing' }],
  ['Redis', { redisUrl: 'redis://127.0.0.1:1/0' }],
] as const) {
  test(`accepts uploads and is ready while the queue on ${where} is unavailable`, async () => {
    const queueless = await startTestApi({ config });
    const { call } = await queueless.signUp();
    assert.equal((await call('uploadMediaItem', fileUpload(await makeNextPhoto()))).status, 201);
    assert.equal((await queueless.call('getReadiness')).status, 200);
    await queueless.stop();
  });
}

test('reports an unavailable store where it is needed, while lists work and the process is ready', async () => {
  const storeless = await startTestApi({ config: { s3Endpoint: undefined } });
  const { call, uploadPhoto, id: userId } = await storeless.signUp();
  const { sourceUrl } = (await call('getMediaItem', { params: { id: await uploadPhoto() } })).body;
  const folder = join(storeless.deps.config.dataDirectory, 'objects');
  await rm(folder, { recursive: true });
  for (const response of [
    await call('uploadMediaItem', fileUpload(await makeNextPhoto())),
    await storeless.call('getDisk'),
  ]) {
    assert.deepEqual([response.status, response.error.message], [503, 'the object store is not reachable']);
    assert.equal(response.headers.get('retry-after'), '5');
  }
  assert.equal((await call('listMediaItems')).body.length, 1);
  assert.equal((await storeless.call('getLiveness')).status, 200);
  assert.equal((await storeless.call('getReadiness')).status, 200);
  await mkdir(folder);
  await symlink(userId, join(folder, userId));
  assert.equal((await fetchLink(storeless.url, sourceUrl)).status, 503);
  await storeless.stop();
});
