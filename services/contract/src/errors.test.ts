import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorBody, errorCodes } from './errors.ts';

test('has a code for every specified status', () => {
  const statuses = new Set(Object.values(errorCodes).map(({ status }) => status));
  assert.deepEqual([...statuses], [400, 401, 404, 405, 409, 410, 412, 413, 415, 416, 423, 429, 460, 500, 503, 507]);
});

test('gives no details with status 401', () => {
  assert.equal(errorCodes.UNAUTHORIZED.message, 'Unauthorized');
});

test('accepts an error response only with a known code and its request id', () => {
  const body = { message: 'media item not found', code: 'NOT_FOUND', requestId: '0b6d' };
  assert.deepEqual(ErrorBody.parse(body), body);
  assert.ok(ErrorBody.safeParse({ ...body, errors: [{ path: 'body.name', message: 'is too long' }] }).success);
  assert.ok(!ErrorBody.safeParse({ ...body, code: 'TEAPOT' }).success);
  assert.ok(!ErrorBody.safeParse({ message: body.message, code: body.code }).success);
});
