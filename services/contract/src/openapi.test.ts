import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Route } from './defineRoute.ts';
import { createOpenApiDocument } from './openapi.ts';
import { routes } from './routes.ts';
import { apiVersion } from './system.ts';

const Reference = z.strictObject({ $ref: z.string().startsWith('#/components/') });
const Header = z.strictObject({ description: z.string(), required: z.boolean().optional(), schema: z.looseObject({}) });
const Response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), z.union([Reference, Header])),
  content: z.record(z.string(), z.strictObject({ schema: z.looseObject({}).optional() })).optional(),
});
const Parameter = Header.partial({ description: true }).extend({
  in: z.enum(['path', 'query', 'header']),
  name: z.string(),
});
const Operation = z.strictObject({
  operationId: z.string().min(1),
  summary: z.string().min(1),
  description: z.string().optional(),
  tags: z.array(z.string()).length(1),
  security: z.array(z.record(z.string(), z.tuple([]))),
  parameters: z.array(Parameter).optional(),
  requestBody: Response.pick({ content: true }).required().extend({ required: z.boolean() }).optional(),
  responses: z.record(z.string().regex(/^[2345]\d\d$/), z.union([Reference, Response])),
});
const Document = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d$/),
  info: z.looseObject({ title: z.string(), version: z.literal(apiVersion) }),
  servers: z.tuple([z.strictObject({ url: z.literal('https://photos.example') })]),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'head', 'options', 'post', 'put', 'patch', 'delete']), Operation),
  ),
  components: z.strictObject({
    schemas: z.record(z.string(), z.looseObject({})),
    responses: z.record(z.string(), Response),
    headers: z.record(z.string(), Header),
    securitySchemes: z.record(
      z.string(),
      z.discriminatedUnion('type', [
        z.looseObject({ type: z.literal('http'), scheme: z.string() }),
        z.looseObject({ type: z.literal('apiKey'), in: z.literal('cookie'), name: z.string() }),
      ]),
    ),
  }),
});

const json = JSON.stringify(createOpenApiDocument({ version: apiVersion, serverUrl: 'https://photos.example' }));
const document = Document.parse(JSON.parse(json));
const { components } = document;

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => Object.assign(operation, { path, method })),
);
const allResponses = operations.flatMap(({ path, method, responses }) =>
  Object.entries(responses).map(([status, declared]) => {
    const response = '$ref' in declared ? Response.parse(resolve(declared.$ref)) : declared;
    return Object.assign(response, { name: `${method} ${path} ${status}`, status: Number(status) });
  }),
);

test('describes exactly the routes', () => {
  const described = operations.map(({ path, method, operationId }) => `${operationId}: ${method} ${path}`);
  const built = Object.values(routes).map(({ path, method, operationId }) => `${operationId}: ${method} ${path}`);
  assert.deepEqual(described.toSorted(), built.toSorted());
});

test('has unique operationIds, and declares and uses all tags and security schemes', () => {
  const ids = operations.map(({ operationId }) => operationId);
  assert.deepEqual(ids, [...new Set(ids)]);
  assert.deepEqual(new Set(operations.flatMap(({ tags }) => tags)), new Set(document.tags.map(({ name }) => name)));
  const schemes = new Set(operations.flatMap(({ security }) => security.flatMap((one) => Object.keys(one))));
  assert.deepEqual(schemes, new Set(Object.keys(components.securitySchemes)));
});

test('resolves every reference, and references every component', () => {
  const references = new Set([...json.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference));
  const { securitySchemes: _, ...referable } = components;
  const targets = Object.entries(referable).flatMap(([kind, members]) =>
    Object.keys(members).map((name) => `#/components/${kind}/${name}`),
  );
  assert.deepEqual([...references].toSorted(), targets.toSorted());
});

test('declares and requires every parameter of a path', () => {
  for (const { path, parameters = [] } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = parameters.filter((parameter) => parameter.in === 'path' && parameter.required === true);
    assert.deepEqual(
      declared.map(({ name }) => name),
      inPath,
      path,
    );
  }
});

test('has a success for every operation, and the request id in every response', () => {
  for (const { path, responses } of operations) {
    assert.ok(
      Object.keys(responses).some((status) => status.startsWith('2')),
      path,
    );
  }
  for (const { name, headers } of allResponses) assert.ok('X-Request-Id' in headers, name);
});

test('gives every error the common body and the headers for its status', () => {
  const needed = new Map([
    [401, 'WWW-Authenticate'],
    [412, 'Tus-Version'],
    [416, 'Content-Range'],
    [429, 'Retry-After'],
    [503, 'Retry-After'],
  ]);
  for (const { name, status, headers, content } of allResponses.filter(({ status }) => status >= 400)) {
    assert.deepEqual(content, { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }, name);
    assert.ok((needed.get(status) ?? 'X-Request-Id') in headers, name);
  }
});

test('gives every success the headers of its route', () => {
  for (const { path, method, responses } of Object.values<Route>(routes)) {
    for (const [status, { headers = [] }] of Object.entries(responses)) {
      const described = allResponses.find(({ name }) => name === `${method} ${path} ${status}`)?.headers ?? {};
      assert.deepEqual(Object.keys(described).toSorted(), ['X-Request-Id', ...headers].toSorted(), path);
    }
  }
});

test('makes a JSON body optional only if all of its fields are', () => {
  const withJson = operations.filter(({ requestBody }) => 'application/json' in (requestBody?.content ?? {}));
  const optional = withJson.filter(({ requestBody }) => requestBody?.required === false);
  assert.deepEqual(
    optional.map(({ operationId }) => operationId),
    ['dismissDuplicates', 'retryProcessing', 'refresh'],
  );
});

test('describes numbers in a query as numbers with their default', () => {
  const list = operations.find(({ operationId }) => operationId === 'listMediaItems');
  const {
    type,
    minimum,
    maximum,
    default: byDefault,
  } = list?.parameters?.find(({ name }) => name === 'limit')?.schema ?? {};
  assert.deepEqual({ type, minimum, maximum, byDefault }, { type: 'integer', minimum: 1, maximum: 200, byDefault: 15 });
});

test('describes the file of an upload, and no password of a user', () => {
  const { content } = operations.find(({ operationId }) => operationId === 'uploadMediaItem')?.requestBody ?? {};
  const { required } = content?.['multipart/form-data']?.schema ?? {};
  assert.deepEqual(required, ['file']);
  assert.doesNotMatch(JSON.stringify(components.schemas['User']), /password/);
});

function resolve(reference: string): unknown {
  const [, , kind = '', name = ''] = reference.split('/');
  return new Map<string, Record<string, unknown>>(Object.entries(components)).get(kind)?.[name];
}
