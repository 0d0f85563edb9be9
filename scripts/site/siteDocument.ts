import type { Route } from '@hearth/contract/defineRoute.ts';
import { createOpenApiDocument, type OpenApiDocument } from '@hearth/contract/openapi.ts';
import { routes } from '@hearth/contract/routes.ts';
import { apiVersion } from '@hearth/contract/system.ts';
import { renderCurlSample, pythonSample, renderTypeScriptSample } from './codeSamples.ts';
import { buildExample } from './responseExample.ts';
import type { Schema } from './schemaText.ts';

/** Returns a route's example in three languages. */
export const makeSamples = (operationId: keyof typeof routes) => {
  const route = routes[operationId] as Route;
  return [
    { lang: 'Shell', label: 'curl', source: renderCurlSample(route) },
    { lang: 'TypeScript', label: 'TypeScript', source: renderTypeScriptSample(route) },
    { lang: 'Python', label: 'Python', source: pythonSample(route) },
  ] as const;
};

/** The parts of an operation that the site extends. */
interface Operation {
  'x-codeSamples'?: ReturnType<typeof makeSamples>;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema?: Schema; example?: unknown }>> }>
  >;
}

/** Returns the server's OpenAPI document, extended by code samples and examples of responses. */
export const createSiteDocument = (): OpenApiDocument => {
  const document = createOpenApiDocument({ version: apiVersion });
  const paths = structuredClone(document.paths) as Record<string, Record<string, Operation>>;
  const schemas = document.components?.schemas as Record<string, Schema>;
  for (const { path, method, operationId } of Object.values(routes)) {
    const operation = paths[path]?.[method];
    if (operation === undefined) throw new Error(`no operation ${operationId}`);
    operation['x-codeSamples'] = makeSamples(operationId as keyof typeof routes);
    for (const { content = {} } of Object.values(operation.responses)) {
      const json = content['application/json'];
      // The OpenAPI document itself has no example.
      if (json?.schema !== undefined && operationId !== 'getOpenApiDocument')
        json.example = buildExample(json.schema, schemas);
    }
  }
  return { ...document, paths };
};
