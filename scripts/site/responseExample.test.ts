import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import type { ApiDocument } from './apiDocument.ts';
import { createSiteDocument } from './siteDocument.ts';

const { paths } = createSiteDocument() as unknown as ApiDocument;

test('every JSON response has an example that matches its schema', () => {
  const all: readonly Route[] = Object.values(routes);
  for (const { operationId, path, method, responses } of all.filter(
    (route) => route.operationId !== 'getOpenApiDocument',
  ))
    for (const [status, { schema }] of Object.entries(responses)) {
      if (schema === undefined) continue;
      const example = paths[path]?.[method]?.responses[status]?.content?.['application/json']?.example;
      // Parsing removes fields that the schema does not have.
      assert.deepEqual(schema.parse(example), example, `${operationId} ${status}`);
    }
});
