import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Route } from './defineRoute.ts';
import { bodyErrors, errorCodes, inputErrors, type ErrorCode } from './errors.ts';
import { routes } from './routes.ts';
import { featureNames } from './vocabulary.ts';

const all: readonly [string, Route][] = Object.entries(routes);

/** Codes that no route declares, because the server returns them before it finds one. */
const codesWithoutRoute: readonly ErrorCode[] = ['METHOD_NOT_ALLOWED'];

test('lists each route under its operationId', () => {
  for (const [key, route] of all) assert.equal(route.operationId, key);
});

test('has no two routes with the same method and path', () => {
  const addresses = all.map(([, { method, path }]) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
  assert.deepEqual(addresses, [...new Set(addresses)]);
});

test('declares exactly the parameters in the path', () => {
  for (const [, { path, params }] of all) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(Object.keys(params?.shape ?? {}), inPath, path);
  }
});

test('has a success for each route, with one kind of body', () => {
  for (const [key, { responses }] of all) {
    const successes = Object.values(responses);
    assert.notEqual(successes.length, 0, key);
    for (const { schema, binary, eventStream } of successes) {
      assert.ok([schema, binary, eventStream].filter((body) => body !== undefined).length <= 1, key);
    }
  }
});

test('pages every list, except for three that are bounded', () => {
  const lists = all.filter(([, { responses }]) => responses[200]?.schema instanceof z.ZodArray);
  const unpaged = lists.filter(([, { query, responses }]) => {
    const refuses = (wrong: object) => query?.safeParse({ q: 'x', ...wrong }).success === false;
    const pages = query !== undefined && 'page' in query.shape ? [{ page: '0' }] : [];
    const isBounded = [...pages, { limit: '0' }, { limit: '201' }].every(refuses);
    return !isBounded || responses[200]?.headers?.includes('Link') !== true;
  });
  assert.deepEqual(
    unpaged.map(([key]) => key),
    ['getTimeline', 'listSearchSuggestions', 'getPlacesMap'],
  );
});

test('has no body for status 204 and 304, and a Location for 201', () => {
  for (const [key, { responses }] of all) {
    for (const status of [204, 304] as const) {
      assert.equal(responses[status]?.schema ?? responses[status]?.binary, undefined, key);
    }
    if (responses[201] !== undefined) assert.ok(responses[201].headers?.includes('Location'), key);
  }
});

test('lists each error of a route once, including all errors its input implies', () => {
  for (const [key, route] of all) {
    assert.deepEqual(route.errors, [...new Set(route.errors)], key);
    const missing = impliedErrors(route).filter((code) => !route.errors.includes(code));
    assert.deepEqual(missing, [], key);
  }
});

test('assigns routes under a feature’s path to that feature', () => {
  for (const [key, { path, auth, feature }] of all) {
    // The last match is the more specific one, as in `/v1/explore/people`.
    const inPath = featureNames.findLast((name) => path.split('/').includes(name));
    if (auth === 'bearer') assert.equal(feature, inPath, key);
  }
});

test('lists no errors of a body, sign-in or parameter that the route does not have', () => {
  for (const [key, { body, auth, params, query, errors }] of all) {
    const declares = (code: ErrorCode): boolean => errors.includes(code);
    if (body === undefined) assert.ok(!declares('PAYLOAD_TOO_LARGE') && !declares('UNSUPPORTED_MEDIA_TYPE'), key);
    if (auth === 'none' && !['login', 'logInOnce', 'refresh'].includes(key)) assert.ok(!declares('UNAUTHORIZED'), key);
    if (body === undefined && params === undefined && query === undefined)
      assert.ok(!declares('VALIDATION_FAILED'), key);
  }
});

test('uses every error code in a route, or lists it as unused', () => {
  const declaredCodes = new Set<string>(all.flatMap(([, { errors }]) => errors));
  const unusedCodes = Object.keys(errorCodes).filter((code) => !declaredCodes.has(code));
  assert.deepEqual(unusedCodes.toSorted(), codesWithoutRoute.toSorted());
});

/** Returns the errors that every route of this form can have. All errors of a signed link are 404. */
function impliedErrors({ auth, feature, params, query, body }: Route): readonly ErrorCode[] {
  if (auth === 'link') return ['NOT_FOUND', 'INTERNAL'];
  return [
    ...(params === undefined ? [] : inputErrors),
    ...(query === undefined ? [] : ['VALIDATION_FAILED' as const]),
    ...(body === undefined ? [] : bodyErrors),
    ...(auth === 'none' ? [] : ['UNAUTHORIZED' as const]),
    ...(auth === 'basic' ? ['TOO_MANY_ATTEMPTS' as const] : []),
    // A month and a day of the year always exist.
    ...((params === undefined || !('id' in params.shape)) && feature === undefined ? [] : ['NOT_FOUND' as const]),
    'INTERNAL',
  ];
}
