import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import type { ErrorBody } from '@hearth/contract/errors.ts';
import { isJsonBody, type Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import { featureNames } from '@hearth/contract/vocabulary.ts';
import { createClient, type RouteName } from '@hearth/testkit/api/client.ts';
import { clearLoginAttempts } from '@hearth/testkit/api/loginAttempts.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const user = await api.signUp();
after(() => api.stop());
// Keeps failed attempts of one test from counting in the next.
beforeEach(() => clearLoginAttempts(api));

const all = Object.entries(routes) as [RouteName, Route][];
const withJsonBody = all.flatMap(([name, route]) =>
  isJsonBody(route.body) ? [[name, { ...route, body: route.body }] as const] : [],
);
/** Calls with the credentials that the route requires. */
const getCaller = ({ auth }: Route) =>
  ({ none: api.call, link: api.call, bearer: user.call, session: user.call, basic: api.callAsAdmin })[auth];
/** Invalid path parameters. */
const invalidParams = { id: 'no uuid', monthDate: '0230', month: '2022-13', section: '2022-02-30' };
/** Valid path parameters that match nothing. */
const unknownParams = {
  id: randomUUID(),
  userId: randomUUID(),
  mediaItemId: randomUUID(),
  name: 'original',
  albumId: randomUUID(),
  rendition: 'preview',
};

/** Credentials of the wrong kind. `malformedRequests.test.ts` tests more. */
const wrongCredentials = {
  bearer: [undefined, `Bearer ${user.token}x`],
  session: [undefined, `Bearer ${user.token}x`],
  basic: [undefined, `Bearer ${user.token}`],
  none: [],
  link: [],
};

for (const [name, route] of all.filter(([, { auth }]) => wrongCredentials[auth].length > 0)) {
  test(`${name} rejects wrong credentials before anything else`, async () => {
    for (const authorization of wrongCredentials[route.auth]) {
      const response = await createClient(api.url, authorization)(name, { params: invalidParams });
      assert.equal(response.status, 401, authorization);
      assert.match(response.headers.get('www-authenticate') ?? '', route.auth === 'basic' ? /^Basic / : /^Bearer$/);
    }
  });
}

test('accepts an empty or missing JSON body only if every field is optional', async () => {
  for (const [name, route] of withJsonBody) {
    const isOptional = route.body.safeParse({}).success;
    for (const raw of ['', '{}']) {
      const headers = { 'content-type': 'application/json' };
      const { status, bytes } = await getCaller(route)(name, { params: unknownParams, raw, headers });
      const isRefused = status === 400 && (JSON.parse(bytes.toString()) as ErrorBody).code === 'VALIDATION_FAILED';
      assert.equal(isRefused, !isOptional, name);
    }
  }
});

const features = [...new Set(all.flatMap(([, { feature }]) => feature ?? []))];

test('hides all routes of a feature while it is switched off for the user', async () => {
  const { id, call } = await api.signUp();
  for (const feature of features) {
    await api.callAsAdmin('updateUser', { params: { id }, body: { features: { [feature]: false } } });
    for (const [name] of all.filter((each) => each[1].feature === feature)) {
      const response = await call(name, { params: invalidParams, query: { page: 'wrong' } });
      assert.deepEqual([response.status, response.error.message], [404, 'route not found'], name);
    }
    await api.callAsAdmin('updateUser', { params: { id }, body: { features: JSON.stringify({ [feature]: true }) } });
  }
  for (const [name, { feature }] of all) {
    if (feature !== undefined)
      assert.notEqual((await call(name, { params: invalidParams, query: { page: 'wrong' } })).status, 404, name);
  }
});

test('hides features that the server has switched off and reports them, without changing the account', async () => {
  const server = await startTestApi({ sharedWith: api, config: { featuresOff: features } });
  const call = createClient(server.url, `Bearer ${user.token}`);
  try {
    for (const [name] of all.filter(([, { feature }]) => feature !== undefined)) {
      const response = await call(name, { params: invalidParams });
      assert.deepEqual([response.status, response.error.message], [404, 'route not found'], name);
    }
    const reported = (await call('getFeatures')).body;
    const kept = (await server.callAsAdmin('getUser', { params: { id: user.id } })).body.features;
    for (const feature of featureNames) {
      assert.equal(reported[feature], !features.includes(feature), feature);
      assert.equal(kept[feature], true, feature);
    }
  } finally {
    await server.stop();
  }
});
