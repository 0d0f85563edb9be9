import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { maxJsonBodyBytes } from '@hearth/contract/limits.ts';
import { routes } from '@hearth/contract/routes.ts';
import { checkError } from '../testing/answerChecker.ts';
import { createClient, type RouteName } from '../testing/client.ts';
import { basic, startTestApi } from '../testing/testApi.ts';

const api = await startTestApi();
const user = await api.signUp();
after(() => api.stop());

const all = Object.entries(routes) as [RouteName, Route][];
const withJsonBody = all.filter(([, { body }]) => body !== undefined && !('multipart' in body));
const withId = all.filter(([, { path }]) => path.includes('{id}'));

/** Calls as whoever may. */
const callerOf = ({ auth }: Route) =>
  ({ none: api.call, link: api.call, bearer: user.call, basic: api.callAsAdmin })[auth];
/** Values for a path that are right but lead to nothing. */
const unknownParams = { id: randomUUID(), userId: randomUUID(), mediaItemId: randomUUID(), name: 'original' };

/** A JSON body of so many bytes. */
const ofSize = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;

const wrongCredentials = {
  bearer: [undefined, 'Bearer', 'Bearer ', 'Bearer not.a.token', `Token ${user.token}`, `Bearer ${user.token}x`],
  basic: [
    undefined,
    'Basic',
    'Basic %%%',
    basic({ username: 'keeper', password: 'wrong' }),
    basic({ username: 'Keeper', password: 'the-keepers-password' }),
    `Bearer ${user.token}`,
  ],
  none: [],
  link: [],
};

for (const [name, route] of all.filter(([, { auth }]) => wrongCredentials[auth].length > 0)) {
  test(`${name} refuses whoever has not signed in for it, whatever else is asked`, async () => {
    for (const authorization of wrongCredentials[route.auth]) {
      const answer = await createClient(api.url, authorization)(name, { params: { id: 'no uuid' } });
      assert.equal(answer.status, 401, authorization);
      assert.match(answer.headers.get('www-authenticate') ?? '', route.auth === 'basic' ? /^Basic / : /^Bearer$/);
    }
  });
}

for (const [name, route] of withJsonBody) {
  const call = callerOf(route);
  const send = async (raw: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    (await call(name, { params: unknownParams, raw, headers })).error;

  test(`${name} takes a body of JSON and nothing else`, async () => {
    for (const malformed of [
      '{',
      '{"a":1}}',
      '"text"',
      '1',
      'null',
      '{"a":\u0000}',
      Buffer.from('{"a":"\xff"', 'latin1'),
    ]) {
      assert.equal((await send(malformed)).code, 'MALFORMED_REQUEST', String(malformed));
    }
    for (const invalid of ['', '{}', '[]', '{"unknown":1}', '{"__proto__":{"name":"x"}}']) {
      assert.equal((await send(invalid)).code, 'VALIDATION_FAILED', invalid);
    }
  });

  test(`${name} refuses other content types, charsets and encodings`, async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'nonsense',
      '',
    ]) {
      assert.equal((await send('{}', { 'content-type': type })).code, 'UNSUPPORTED_MEDIA_TYPE', type);
    }
    const json = 'application/json';
    assert.equal((await send('{}', { 'content-type': `${json}; charset=latin1` })).code, 'UNSUPPORTED_MEDIA_TYPE');
    assert.equal(
      (await send('{}', { 'content-type': json, 'content-encoding': 'zip' })).code,
      'UNSUPPORTED_MEDIA_TYPE',
    );
    assert.equal((await send('{}', { 'content-type': json, 'content-encoding': 'gzip' })).code, 'MALFORMED_REQUEST');
  });

  test(`${name} refuses a body of more bytes than the limit`, async () => {
    assert.equal((await send(ofSize(maxJsonBodyBytes))).code, 'VALIDATION_FAILED');
    assert.equal((await send(ofSize(maxJsonBodyBytes + 1))).code, 'PAYLOAD_TOO_LARGE');
    assert.equal((await send(ofSize(10 * maxJsonBodyBytes))).code, 'PAYLOAD_TOO_LARGE');
  });
}

for (const [name, route] of withId) {
  const call = callerOf(route);

  test(`${name} refuses an id that is no uuid, and one that cannot be decoded`, async () => {
    for (const id of [
      '1',
      'null',
      `${randomUUID()}0`,
      randomUUID().replace('-', ''),
      '\0',
      "' or 1=1",
      '%',
      '../users',
    ]) {
      const { code, errors } = (await call(name, { params: { id } })).error;
      assert.equal(code, 'VALIDATION_FAILED', id);
      assert.ok(errors?.some(({ path, message }) => path === 'params.id' && message === 'must be a uuid'));
    }
    const authorization =
      route.auth === 'bearer'
        ? `Bearer ${user.token}`
        : basic({ username: 'keeper', password: 'the-keepers-password' });
    for (const undecodable of ['%zz', '%', '%c3%28', '%ed%a0%80']) {
      const address = `${api.url}${route.path.replace('{id}', undecodable)}`;
      const response = await fetch(address, { method: route.method.toUpperCase(), headers: { authorization } });
      const answer = {
        status: response.status,
        headers: response.headers,
        bytes: Buffer.from(await response.arrayBuffer()),
      };
      assert.equal(answer.status, 400, undecodable);
      checkError(name, ['MALFORMED_REQUEST'], answer);
    }
  });
}

test('a user for whom a feature is switched off finds none of its routes', async () => {
  const { id, call } = await api.signUp();
  await api.callAsAdmin('updateUser', { params: { id }, body: { features: { trash: false } } });
  for (const [name] of all.filter(([, { feature }]) => feature === 'trash')) {
    const answer = await call(name, { query: { page: 'wrong' } });
    assert.deepEqual([answer.status, answer.error.message], [404, 'route not found'], name);
  }
  await api.callAsAdmin('updateUser', { params: { id }, body: { features: { trash: true } } });
  assert.equal((await call('listTrash')).status, 200);
});
