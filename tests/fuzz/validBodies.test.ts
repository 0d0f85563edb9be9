import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonBody, type Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { validBodies } from './validBodies.ts';

const victim = {
  id: '0192d7a4-0000-4000-8000-000000000001',
  username: 'ada',
  password: 'a password',
  token: 'a token',
  mediaItemIds: ['0192d7a4-0000-7000-8000-000000000002'],
  albumIds: [],
  shareIds: [],
  jobIds: [],
  uploadIds: [],
  links: [],
};

const jsonRoutes = Object.values<Route>(routes).flatMap(({ operationId, body }) =>
  isJsonBody(body) ? [{ operationId, body }] : [],
);

test('every operation with a JSON body has a valid body to mutate, and no other operation has one', () => {
  assert.deepEqual(Object.keys(validBodies).toSorted(), jsonRoutes.map(({ operationId }) => operationId).toSorted());
  const makers = new Map(Object.entries(validBodies));
  for (const { operationId, body } of jsonRoutes) {
    const { error } = body.safeParse(makers.get(operationId)!(createRandom(1), victim));
    assert.equal(error, undefined, operationId);
  }
});
