import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import type { ErrorBody } from '@hearth/contract/errors.ts';
import { maxJsonBodyBytes } from '@hearth/contract/limits.ts';
import { routes } from '@hearth/contract/routes.ts';
import { checkError } from '@hearth/testkit/api/responseChecker.ts';
import { createClient } from '@hearth/testkit/api/client.ts';
import { clearLoginAttempts } from '@hearth/testkit/api/loginAttempts.ts';
import { toBasicAuth, startTestApi } from '@hearth/testkit/api/testApi.ts';

/*
 * [Note: One door for requests] Every request passes through `handle`, which authenticates and validates it before it
 * calls the handler.
 *
 * It authenticates, reads the body, and parses parameters, query and body with the schemas of the route. So the whole
 * matrix of malformed input is tested on a single route, `sample`, which takes a parameter and a JSON body. Two tests
 * show that every route uses `handle`: in `everyResponse.test.ts` each route rejects invalid parameters and queries, and
 * bodies that are malformed, invalid, too large or of the wrong type. In `everyRoute.test.ts` each route rejects wrong
 * credentials before anything else.
 */
const sample = 'updateAlbum';
/** One route per kind of credentials. */
const samples = { bearer: sample, session: 'logout', basic: 'getUser' } as const;

const api = await startTestApi();
const user = await api.signUp();
after(() => api.stop());
// Keeps failed attempts of one test from counting in the next.
beforeEach(() => clearLoginAttempts(api));

/** Invalid path parameters. */
const invalidParams = { id: 'no uuid' };

const wrongBearers = [
  undefined,
  'Bearer',
  'Bearer ',
  'Bearer not.a.token',
  `Token ${user.token}`,
  `Bearer ${user.token}x`,
];
const wrongCredentials = {
  bearer: wrongBearers,
  session: wrongBearers,
  basic: [
    undefined,
    'Basic',
    'Basic %%%',
    toBasicAuth({ username: 'keeper', password: 'wrong' }),
    toBasicAuth({ username: 'Keeper', password: 'the-keepers-password' }),
    `Bearer ${user.token}`,
  ],
};

for (const auth of ['bearer', 'session', 'basic'] as const) {
  test(`a route for ${auth} rejects all other credentials before anything else`, async () => {
    for (const authorization of wrongCredentials[auth]) {
      const response = await createClient(api.url, authorization)(samples[auth], { params: invalidParams });
      assert.equal(response.status, 401, authorization);
      assert.match(response.headers.get('www-authenticate') ?? '', auth === 'basic' ? /^Basic / : /^Bearer$/);
    }
  });
}

const json = { 'content-type': 'application/json' };
const send = async (raw: string | Buffer, headers: Record<string, string> = json) =>
  (await user.call(sample, { params: { id: randomUUID() }, raw, headers })).error;

/** Returns a JSON body of this many bytes. */
const jsonOfSize = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;

test('accepts only JSON objects as a body', async () => {
  for (const malformed of [
    '{',
    '{"a":1}}',
    '"text"',
    '1',
    'null',
    '{"a":\u0000}',
    Buffer.from('{"a":"\xff"', 'latin1'),
    Buffer.from('{"a":"\xff"}', 'latin1'),
  ]) {
    assert.equal((await send(malformed)).code, 'MALFORMED_REQUEST', String(malformed));
  }
  for (const invalid of ['', '{}', '[]', '{"unknown":1}', '{"__proto__":{"name":"x"}}']) {
    assert.equal((await send(invalid)).code, 'VALIDATION_FAILED', invalid);
  }
});

test('rejects other content types, charsets and encodings', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
    '',
    ...['latin1', 'utf-16', 'utf-16le', 'utf-32'].map((charset) => `application/json; charset=${charset}`),
  ]) {
    assert.equal((await send('{}', { 'content-type': type })).code, 'UNSUPPORTED_MEDIA_TYPE', type);
  }
  assert.equal((await send('{}', { ...json, 'content-encoding': 'zip' })).code, 'UNSUPPORTED_MEDIA_TYPE');
  assert.equal((await send('{}', { ...json, 'content-encoding': 'gzip' })).code, 'MALFORMED_REQUEST');
});

test('rejects a body that exceeds the size limit', async () => {
  assert.equal((await send(jsonOfSize(maxJsonBodyBytes))).code, 'VALIDATION_FAILED');
  assert.equal((await send(jsonOfSize(maxJsonBodyBytes + 1))).code, 'PAYLOAD_TOO_LARGE');
  assert.equal((await send(jsonOfSize(10 * maxJsonBodyBytes))).code, 'PAYLOAD_TOO_LARGE');
});

test('rejects an id that is not a UUID or cannot be decoded', async () => {
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
    const response = await user.call(sample, { params: { id } });
    const { code, errors } = response.error;
    assert.deepEqual([response.status, code], [400, 'VALIDATION_FAILED'], id);
    assert.ok(errors?.some(({ path, message }) => path === 'params.id' && message === 'must be a uuid'));
  }
  for (const undecodable of ['%zz', '%', '%ff', '%c3%28', '%ed%a0%80']) {
    const response = await fetch(`${api.url}${routes[sample].path.replace('{id}', undecodable)}`, {
      method: routes[sample].method.toUpperCase(),
      headers: { authorization: `Bearer ${user.token}` },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(response.status, 400, undecodable);
    checkError(sample, ['MALFORMED_REQUEST'], { status: response.status, headers: response.headers, bytes });
    const { errors } = JSON.parse(bytes.toString()) as ErrorBody;
    assert.deepEqual(
      errors?.map(({ path }) => path),
      ['path'],
      undecodable,
    );
  }
});
