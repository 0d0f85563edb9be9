import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonBody, type Route } from './defineRoute.ts';
import { exampleVariables } from './examples.ts';
import { routes } from './routes.ts';

const all = Object.entries(routes) as [string, Route][];
/** Replaces variables with valid values. */
const fill = (example: object): unknown =>
  JSON.parse(
    JSON.stringify(example)
      .replaceAll('$REVISION', '1')
      .replaceAll(/\$[A-Z_]+/g, '8f14e45f-ceea-467f-a9b5-3c1e2b7d9a10'),
  );

test('has a valid example for each route', () => {
  for (const [name, { path, params, query, body, example = {} }] of all) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => [key, example.params?.[key] ?? '$ITEM']);
    const parts = [
      [example.link === undefined ? params : undefined, Object.fromEntries(inPath)],
      [example.link === undefined ? query : undefined, example.query ?? {}],
      [isJsonBody(body) ? body : undefined, example.body ?? {}],
    ] as const;
    for (const [schema, value] of parts)
      assert.deepEqual(schema?.safeParse(fill(value)).error?.issues ?? [], [], `the example of ${name} is invalid`);
  }
});

test('uses only explained variables in examples', () => {
  const used = new Set(['ITEM']);
  for (const [, { example = {} }] of all)
    for (const [, variable = ''] of JSON.stringify(example).matchAll(/\$([A-Z_]+)/g)) used.add(variable);
  const unexplained = used.difference(new Set(Object.keys(exampleVariables)));
  assert.deepEqual([...unexplained], []);
});
