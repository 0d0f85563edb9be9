import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import { isJsonBody, type Route } from '@hearth/contract/defineRoute.ts';
import { maxJsonBodyBytes } from '@hearth/contract/limits.ts';
import { routes } from '@hearth/contract/routes.ts';
import { featureNames } from '@hearth/contract/vocabulary.ts';
import { createRefreshToken } from '../accounts/refreshTokens.ts';
import { isOnCluster } from '@hearth/testkit/run/backEnds.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { assertAllResponsesSeen, checkResponse } from '@hearth/testkit/api/responseChecker.ts';
import { anyRequest } from '@hearth/testkit/api/anyRequest.ts';
import { createClient, fetchLink, type CallOptions, type Client, type RouteName } from '@hearth/testkit/api/client.ts';
import { exchange } from '@hearth/testkit/api/rawExchange.ts';
import { makeRouteContext } from '@hearth/testkit/api/routeFixtures/routeContext.ts';
import { clearLoginAttempts } from '@hearth/testkit/api/loginAttempts.ts';
import { callExample, callRoute, maxFailures } from '@hearth/testkit/api/routeFixtures.ts';
import { getLinkEpoch } from '@hearth/testkit/api/linkEpoch.ts';
import { admin, toBasicAuth, startTestApi, type TestApi } from '@hearth/testkit/api/testApi.ts';

/*
 * Makes every route return each response that the contract lists, on any back ends: first the responses common to many
 * routes, then, in `routeFixtures.ts`, those of single routes. Checks each response against the contract. The last
 * tests report responses that never occurred. Other tests check that a response is right for its request.
 */

const proxy = await startTcpProxy();
const api = await startTestApi({ proxy });
const context = await makeRouteContext(api);
const { user } = context;
after(async () => {
  await api.stop();
  await proxy.cut();
});

const all = Object.entries(routes) as [RouteName, Route][];

/** Valid path parameters that match nothing. */
const validParams = { id: randomUUID(), monthDate: '0403', month: '2022-04', section: '2022-04' };
const invalidParams = { id: 'no uuid', monthDate: '0230', month: '2022-13', section: '2022-02-30' };
const invalidQuery = { page: 'wrong', by: 'wrong', permanent: 'wrong', zoom: 'wrong', cursor: '' };

/** Calls a server with the credentials that the route requires. */
const createCaller = ({ url }: TestApi, { auth }: Route, token = user.token): Client =>
  createClient(
    url,
    {
      none: undefined,
      link: undefined,
      bearer: `Bearer ${token}`,
      session: `Bearer ${token}`,
      basic: toBasicAuth(admin),
    }[auth],
  );

const callEach = async (
  options: (route: Route, name: RouteName) => CallOptions | undefined,
  caller: (route: Route) => Client = (route) => createCaller(api, route),
): Promise<void> => {
  for (const [name, route] of all) {
    const given = options(route, name);
    if (given !== undefined) await caller(route)(name, given);
  }
};

test('responds as documented to requests without credentials', async () => {
  await callEach(
    () => ({ params: validParams }),
    () => createClient(api.url),
  );
});

test('responds as documented after too many failed passwords', async () => {
  const guess = createClient(api.url, toBasicAuth({ ...admin, password: 'wrong' }));
  for (let n = 0; n < maxFailures; n++) await guess('listUsers');
  await callEach(({ auth }) => (auth === 'basic' ? { params: validParams } : undefined));
  await clearLoginAttempts(api);
});

test('responds as documented to invalid requests', async () => {
  await callEach(({ params, query, body }) => {
    if (params === undefined && query === undefined && body === undefined) return undefined;
    return { params: invalidParams, query: invalidQuery, ...(isJsonBody(body) && { body: { unknown: 1 } }) };
  });
});

test('responds as documented to bodies that are malformed, too large or of another content type', async () => {
  const json = { 'content-type': 'application/json' };
  for (const given of [
    { raw: '{', headers: json },
    { raw: `{"a":"${'x'.repeat(maxJsonBodyBytes)}"}`, headers: json },
    { raw: '{}', headers: { 'content-type': 'text/plain' } },
  ]) {
    await callEach(({ body }) => (isJsonBody(body) ? { params: validParams, ...given } : undefined));
  }
});

test('responds as documented to requests that break off or cannot be decoded', async () => {
  for (const [name, { method, path, auth, body }] of all) {
    const authorization = auth === 'basic' ? toBasicAuth(admin) : `Bearer ${user.token}`;
    const hasParams = path.includes('{');
    if (!hasParams && body === undefined) continue;
    // A chunk with an invalid length.
    const rest = hasParams ? 'connection: close\r\n\r\n' : 'transfer-encoding: chunked\r\n\r\nno length\r\n';
    const lines = [
      `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '%zz')} HTTP/1.1`,
      'host: x',
      `authorization: ${authorization}`,
      ...(name === 'createUpload' ? ['tus-resumable: 1.0.0', 'upload-length: 10'] : []),
      `content-type: ${name === 'createUpload' ? 'application/offset+octet-stream' : 'application/json'}`,
    ];
    for (const response of await exchange(api.port, `${lines.join('\r\n')}\r\n${rest}`)) {
      checkResponse(name, { ...response, isHead: method === 'head' });
    }
  }
});

test('responds as documented to requests for unknown resources and switched-off features', async () => {
  const stranger = await api.signUp();
  const nowhere = { foreign: [randomUUID()], foreignNumbers: [], ownIds: [randomUUID()], files: [Buffer.from('x')] };
  for (const [name, route] of all) {
    if (!route.errors.includes('NOT_FOUND') || route.auth === 'link') continue;
    const call = createCaller(api, route, stranger.token);
    for (const options of fc.sample(anyRequest(name, nowhere), { seed: 1, numRuns: 3 })) await call(name, options);
  }
  const features = Object.fromEntries(featureNames.map((feature) => [feature, false]));
  await api.callAsAdmin('updateUser', { params: { id: stranger.id }, body: { features } });
  await callEach(
    ({ feature }) => (feature === undefined ? undefined : { params: validParams }),
    (route) => createCaller(api, route, stranger.token),
  );
});

/** Returns a thumbnail link of the existing item. */
const thumbnailLink = async (): Promise<string> =>
  `${api.deps.thumbnailLinks.signPrefix(await getLinkEpoch(api.deps.db, user.id), 'thumbnail-1.webp')}${context.item}`;

/** Bodies for routes that read a body before their first query. */
const validBodies: Partial<Record<RouteName, object>> = {
  login: { username: 'ada', password: 'a password' },
  logInOnce: { code: 'a code' },
  refresh: { refreshToken: createRefreshToken().text },
};
const buildValidCall = (_: Route, name: RouteName): CallOptions => {
  const body = validBodies[name];
  return { params: validParams, ...(body !== undefined && { body }) };
};

test('responds as documented while the database is unavailable', async () => {
  const link = await context.sharedLink();
  await proxy.cut();
  await callEach(buildValidCall);
  await fetchLink(api.url, link);
  await proxy.open();
});

test('responds as documented while the object store is unavailable', async () => {
  const { sourceUrl } = (await user.call('getMediaItem', { params: { id: context.item } })).body;
  const sharedLink = await context.sharedLink();
  const dataDirectory = await mkdtemp(join(tmpdir(), 'hearth-storeless-'));
  const s3Endpoint = isOnCluster ? 'http://127.0.0.1:1' : undefined;
  const storeless = await startTestApi({ sharedWith: api, config: { dataDirectory, s3Endpoint } });
  await rm(join(dataDirectory, 'objects'), { recursive: true, force: true });
  await storeless.call('getDisk');
  // Makes the folder inaccessible, because a missing file would be a different error.
  await mkdir(join(dataDirectory, 'objects'), { recursive: true });
  await symlink(user.id, join(dataDirectory, 'objects', user.id));
  await fetchLink(storeless.url, sourceUrl);
  await fetchLink(storeless.url, sharedLink);
  await fetchLink(storeless.url, await thumbnailLink());
  await storeless.stop();
  await rm(dataDirectory, { recursive: true });
});

test('responds as documented to unexpected errors', async () => {
  const empty = await startTestApi({ isMigrated: false });
  const token = empty.deps.tokens.issue({ sessionId: randomUUID(), userId: randomUUID() });
  await callEach(buildValidCall, (route) => createCaller(empty, route, token));
  await empty.stop();
  // Makes routes without queries fail when they build the response.
  const broken = await startTestApi({ sharedWith: api });
  Object.defineProperty(broken.deps.config, 'publicUrl', {
    get: () => {
      throw new Error('broken on purpose');
    },
  });
  await callEach(
    ({ auth, path }) => (auth === 'none' && !path.includes('{') ? {} : undefined),
    () => broken.call,
  );
  const { sourceUrl } = (await user.call('getMediaItem', { params: { id: await context.createItem() } })).body;
  await fetchLink(broken.url, sourceUrl);
  await fetchLink(broken.url, await context.sharedLink());
  await fetchLink(broken.url, await thumbnailLink());
  await broken.stop();
});

test('every list rejects the cursor of another list', async () => {
  const cursor = Buffer.from(JSON.stringify(['no list', {}])).toString('base64url');
  // Its group exists only in its own route fixture. `duplicates.test.ts` tests a wrong cursor.
  const lists = all.filter(
    ([name, { query }]) => 'cursor' in (query?.shape ?? {}) && name !== 'listDuplicateMediaItems',
  );
  for (const [name] of lists) {
    const { error } = await callExample(context, name, { cursor });
    assert.deepEqual([error.code, error.errors?.[0]?.path], ['VALIDATION_FAILED', 'query.cursor'], name);
  }
});

for (const [name] of all) {
  test(`${name} has returned every response that the contract lists`, async () => {
    await callRoute(context, name);
    assertAllResponsesSeen(name);
  });
}
