import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { defineRoute, type RouteBody, type RouteParams, type RouteQuery, type RouteResult } from './defineRoute.ts';

const route = defineRoute({
  operationId: 'putThing',
  method: 'put',
  path: '/v1/things/{id}',
  summary: 'Put a thing',
  tag: 'system',
  auth: 'none',
  params: z.object({ id: z.string() }),
  query: z.object({ page: z.string().transform(Number) }),
  body: { multipart: z.strictObject({ name: z.string() }), file: 'file' },
  responses: {
    200: { description: 'The thing.', schema: z.object({ id: z.string() }), headers: ['Location'] },
    204: { description: 'Nothing.' },
    206: { description: 'Bytes.', binary: ['image/*'] },
  },
  errors: ['INTERNAL'],
});
type R = typeof route;
type Bare = Omit<R, 'params' | 'query' | 'body'>;

test('gives handlers the types of the parsed schemas', () => {
  const params: RouteParams<R> = { id: 'a' };
  const query: RouteQuery<R> = { page: 1 };
  const body: RouteBody<R> = { name: 'b' };
  const nothing: [RouteParams<Bare>, RouteQuery<Bare>, RouteBody<Bare>] = [undefined, undefined, undefined];
  assert.deepEqual([params, query, body, nothing.length], [{ id: 'a' }, { page: 1 }, { name: 'b' }, 3]);
});

test('accepts only the body and headers of the result’s status', () => {
  const results: RouteResult<R, Uint8Array>[] = [
    { status: 200, body: { id: 'a' }, headers: { Location: '/v1/things/a' } },
    { status: 204 },
    { status: 206, body: new Uint8Array() },
    // @ts-expect-error -- this status is not declared
    { status: 201, body: { id: 'a' } },
    // @ts-expect-error -- a 200 needs its body
    { status: 200 },
    // @ts-expect-error -- a 204 has none
    { status: 204, body: { id: 'a' } },
    // @ts-expect-error -- this header is not declared
    { status: 200, body: { id: 'a' }, headers: { ETag: '"x"' } },
  ];
  assert.equal(results.length, 7);
});
