import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorBody, errorCodes } from './errors.ts';

test('the codes cover every status of the specification and of the decisions', () => {
  const statuses = new Set(Object.values(errorCodes).map(({ status }) => status));
  assert.deepEqual([...statuses], [400, 401, 404, 405, 409, 410, 412, 413, 415, 416, 423, 429, 460, 500, 503, 507]);
});

test('a 401 says nothing but Unauthorized', () => {
  assert.equal(errorCodes.UNAUTHORIZED.message, 'Unauthorized');
});

test('an error answer names a known code and its request', () => {
  const body = { message: 'media item not found', code: 'NOT_FOUND', requestId: '0b6d' };
  assert.deepEqual(ErrorBody.parse(body), body);
  assert.ok(ErrorBody.safeParse({ ...body, errors: [{ path: 'body.name', message: 'is too long' }] }).success);
  assert.ok(!ErrorBody.safeParse({ ...body, code: 'TEAPOT' }).success);
  assert.ok(!ErrorBody.safeParse({ message: body.message, code: body.code }).success);
});
