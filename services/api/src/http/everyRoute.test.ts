import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import type { ErrorBody } from '@hearth/contract/errors.ts';
import { isJsonBody, type Route } from '@hearth/contract/defineRoute.ts';
import { maxJsonBodyBytes } from '@hearth/contract/limits.ts';
import { routes } from '@hearth/contract/routes.ts';
import { featureNames } from '@hearth/contract/vocabulary.ts';
import { checkError } from '@hearth/testkit/api/answerChecker.ts';
import { createClient, type RouteName } from '@hearth/testkit/api/client.ts';
import { forgetAttempts } from '@hearth/testkit/api/forgetAttempts.ts';
import { basic, startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const user = await api.signUp();
after(() => api.stop());
// So that what one test gets wrong does not count in the next.
beforeEach(() => forgetAttempts(api));

const all = Object.entries(routes) as [RouteName, Route][];
const withJsonBody = all.filter(([, { body }]) => isJsonBody(body));
const withId = all.filter(([, { path }]) => path.includes('{id}'));

/** Calls as whoever may. */
const callerOf = ({ auth }: Route) =>
  ({ none: api.call, link: api.call, bearer: user.call, session: user.call, basic: api.callAsAdmin })[auth];
/** Values for a path that are not right. */
const wrongParams = { id: 'no uuid', monthDate: '0230', month: '2022-13', section: '2022-02-30' };
/** Values for a path that are right but lead to nothing. */
const unknownParams = {
  id: randomUUID(),
  userId: randomUUID(),
  mediaItemId: randomUUID(),
  name: 'original',
  albumId: randomUUID(),
  rendition: 'preview',
};

/** A JSON body of so many bytes. */
const ofSize = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;

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
      const answer = await createClient(api.url, authorization)(name, { params: wrongParams });
      assert.equal(answer.status, 401, authorization);
      assert.match(answer.headers.get('www-authenticate') ?? '', route.auth === 'basic' ? /^Basic / : /^Bearer$/);
    }
  });
}

/** What may be left out may be empty; then it is what the header or the path says that is wrong, or nothing is. */
const ofNothing: Readonly<Record<string, number>> = { refresh: 401, retryProcessing: 200, dismissDuplicates: 404 };

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
      Buffer.from('{"a":"\xff"}', 'latin1'),
    ]) {
      assert.equal((await send(malformed)).code, 'MALFORMED_REQUEST', String(malformed));
    }
    for (const invalid of ['[]', '{"unknown":1}', '{"__proto__":{"name":"x"}}']) {
      assert.equal((await send(invalid)).code, 'VALIDATION_FAILED', invalid);
    }
    for (const raw of ['', '{}']) {
      const headers = { 'content-type': 'application/json' };
      assert.equal((await call(name, { params: unknownParams, raw, headers })).status, ofNothing[name] ?? 400, raw);
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
    for (const charset of ['latin1', 'utf-16', 'utf-16le', 'utf-32']) {
      const type = `${json}; charset=${charset}`;
      assert.equal((await send('{}', { 'content-type': type })).code, 'UNSUPPORTED_MEDIA_TYPE', charset);
    }
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
      const answer = await call(name, { params: { id } });
      assert.equal(answer.status, 400, id);
      // The answer to a HEAD has no body that would say more.
      if (route.method === 'head') continue;
      const { code, errors } = answer.error;
      assert.equal(code, 'VALIDATION_FAILED', id);
      assert.ok(errors?.some(({ path, message }) => path === 'params.id' && message === 'must be a uuid'));
    }
    const authorization =
      route.auth === 'bearer' || route.auth === 'session'
        ? `Bearer ${user.token}`
        : basic({ username: 'keeper', password: 'the-keepers-password' });
    for (const undecodable of ['%zz', '%', '%ff', '%c3%28', '%ed%a0%80']) {
      const address = `${api.url}${route.path.replace('{id}', undecodable)}`;
      const response = await fetch(address, { method: route.method.toUpperCase(), headers: { authorization } });
      const answer = {
        status: response.status,
        headers: response.headers,
        bytes: Buffer.from(await response.arrayBuffer()),
      };
      assert.equal(answer.status, 400, undecodable);
      checkError(name, ['MALFORMED_REQUEST'], { ...answer, isHead: route.method === 'head' });
      if (route.method === 'head') continue;
      const { errors } = JSON.parse(answer.bytes.toString()) as ErrorBody;
      assert.deepEqual(
        errors?.map(({ path }) => path),
        ['path'],
        undecodable,
      );
    }
  });
}

const features = [...new Set(all.flatMap(([, { feature }]) => feature ?? []))];

test('a user for whom a feature is switched off finds none of its routes, at once and until it is switched on', async () => {
  const { id, call } = await api.signUp();
  for (const feature of features) {
    await api.callAsAdmin('updateUser', { params: { id }, body: { features: { [feature]: false } } });
    for (const [name] of all.filter((each) => each[1].feature === feature)) {
      const answer = await call(name, { params: wrongParams, query: { page: 'wrong' } });
      assert.deepEqual([answer.status, answer.error.message], [404, 'route not found'], name);
    }
    await api.callAsAdmin('updateUser', { params: { id }, body: { features: JSON.stringify({ [feature]: true }) } });
  }
  for (const [name, { feature }] of all) {
    if (feature !== undefined)
      assert.notEqual((await call(name, { params: wrongParams, query: { page: 'wrong' } })).status, 404, name);
  }
});

test('what the server has switched off nobody finds, and each is told so; the account keeps what it has', async () => {
  const server = await startTestApi({ replicaOf: api, config: { featuresOff: features } });
  const call = createClient(server.url, `Bearer ${user.token}`);
  try {
    for (const [name] of all.filter(([, { feature }]) => feature !== undefined)) {
      const answer = await call(name, { params: wrongParams });
      assert.deepEqual([answer.status, answer.error.message], [404, 'route not found'], name);
    }
    const told = (await call('getFeatures')).body;
    const kept = (await server.callAsAdmin('getUser', { params: { id: user.id } })).body.features;
    for (const feature of featureNames) {
      assert.equal(told[feature], !features.includes(feature), feature);
      assert.equal(kept[feature], true, feature);
    }
  } finally {
    await server.stop();
  }
});
