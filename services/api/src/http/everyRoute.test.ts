import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import type { ErrorBody } from '@hearth/contract/errors.ts';
import { isJsonBody, type Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import { featureNames } from '@hearth/contract/vocabulary.ts';
import { createClient, type RouteName } from '@hearth/testkit/api/client.ts';
import { forgetAttempts } from '@hearth/testkit/api/forgetAttempts.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const user = await api.signUp();
after(() => api.stop());
// So that what one test gets wrong does not count in the next.
beforeEach(() => forgetAttempts(api));

const all = Object.entries(routes) as [RouteName, Route][];
const withJsonBody = all.flatMap(([name, route]) =>
  isJsonBody(route.body) ? [[name, { ...route, body: route.body }] as const] : [],
);
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

/** Credentials that do not belong to the routes of a kind; `malformedRequests.test.ts` tries more. */
const wrongCredentials = {
  bearer: [undefined, `Bearer ${user.token}x`],
  session: [undefined, `Bearer ${user.token}x`],
  basic: [undefined, `Bearer ${user.token}`],
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

test('a JSON body may be empty or left out only where every field may be', async () => {
  for (const [name, route] of withJsonBody) {
    const isOptional = route.body.safeParse({}).success;
    for (const raw of ['', '{}']) {
      const headers = { 'content-type': 'application/json' };
      const { status, bytes } = await callerOf(route)(name, { params: unknownParams, raw, headers });
      const isRefused = status === 400 && (JSON.parse(bytes.toString()) as ErrorBody).code === 'VALIDATION_FAILED';
      assert.equal(isRefused, !isOptional, name);
    }
  }
});

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
