import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { routes } from '@hearth/contract/routes.ts';
import { createApp } from './app.ts';
import { toExpressPath } from '../http/handle.ts';
import { checkError } from '@hearth/testkit/api/responseChecker.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
after(() => api.stop());

const all = Object.values(routes);

const request = async (method: string, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${api.url}${path}`, { method, headers });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
    isHead: method === 'HEAD',
  };
};

/**
 * Routes registered in Express, such as `get /version`. Excludes the 405 handlers, which Express stores as routes for
 * all methods.
 */
const builtRoutes = (): string[] =>
  createApp(api.deps).router.stack.flatMap(({ route }) =>
    route?.stack.length === 1 ? [`${route.stack[0]?.method} ${route.path}`] : [],
  );

test('registers exactly the routes of the contract', () => {
  const expected = all.map(({ method, path }) => `${method} ${toExpressPath(path)}`);
  assert.deepEqual(builtRoutes().toSorted(), expected.toSorted());
});

test('returns 405 with the allowed methods for an unsupported method', async () => {
  for (const path of new Set(all.map((route) => route.path))) {
    const allowed = all.filter((route) => route.path === path).map(({ method }) => method.toUpperCase());
    const expected = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      if (expected.includes(method)) continue;
      const response = await request(method, path.replaceAll(/\{\w+\}/g, 'x'));
      assert.equal(response.status, 405, `${method} ${path}`);
      assert.deepEqual(response.headers.get('allow')?.split(', '), expected);
      checkError(path, ['METHOD_NOT_ALLOWED'], response);
    }
  }
});

test('returns 404 in the standard shape for an unknown path, with any method', async () => {
  for (const path of [
    '/',
    '/v1',
    '/v1/mediaitems/x/y',
    '/v2/mediaItems',
    '/v1/nothing/%zz',
    '/%00',
    '/.env',
    '/metrics',
  ]) {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']) {
      const response = await request(method, path);
      assert.equal(response.status, 404, path);
      checkError(path, ['NOT_FOUND'], response);
    }
  }
});

test('ignores If-None-Match: * on responses without an ETag', async () => {
  for (const path of ['/version', '/openapi.json', '/livez']) {
    assert.equal((await request('GET', path, { 'if-none-match': '*' })).status, 200);
  }
});

test('responds to HEAD like GET, without a body', async () => {
  for (const path of ['/version', '/livez', '/openapi.json', '/v1/mediaItems']) {
    const [head, get] = [await request('HEAD', path), await request('GET', path)];
    assert.deepEqual([head.status, head.bytes.length], [get.status, 0]);
    for (const name of ['content-type', 'content-length']) assert.equal(head.headers.get(name), get.headers.get(name));
  }
});

/** Returns the request id of the response to a request with the id `given`. */
const getResponseId = async (given: string, path = '/version') => {
  const { headers, bytes } = await request('GET', path, { 'x-request-id': given });
  const { requestId } = JSON.parse(bytes.toString()) as { requestId?: string };
  if (requestId !== undefined) assert.equal(requestId, headers.get('x-request-id'));
  return headers.get('x-request-id');
};

test('echoes a well-formed request id and replaces any other', async () => {
  for (const good of ['a', 'req-1.2:3_4', '8f14e45f-ceea-467f-a9b5-3c1e2b7d9a10', 'x'.repeat(128)]) {
    assert.equal(await getResponseId(good), good);
    assert.equal(await getResponseId(good, '/nowhere'), good);
  }
  for (const bad of ['', 'a b', 'a,b', '<script>', 'ä', 'x'.repeat(129)])
    assert.match((await getResponseId(bad)) ?? '', /^[0-9a-f-]{36}$/);
  assert.notEqual(await getResponseId(''), await getResponseId(''));
});

test('sends headers against sniffing and framing, and none that names the software', async () => {
  for (const path of ['/version', '/nowhere']) {
    const { headers } = await request('GET', path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'self'/);
    assert.equal(headers.get('cache-control'), 'no-store');
    for (const name of ['x-powered-by', 'server', 'strict-transport-security', 'etag'])
      assert.equal(headers.get(name), null);
  }
});

test('sends Strict-Transport-Security only with an https public URL', async () => {
  const secure = await startTestApi({ config: { publicUrl: 'https://photos.example' } });
  assert.match((await secure.call('getVersion')).headers.get('strict-transport-security') ?? '', /max-age/);
  await secure.stop();
});

test('reuses a connection for several requests, also after an error', async () => {
  let connections = 0;
  const count = (): void => void connections++;
  api.server.on('connection', count);
  for (let times = 0; times < 5; times++) for (const path of ['/version', '/nowhere']) await request('GET', path);
  api.server.off('connection', count);
  assert.ok(connections <= 1);
});
