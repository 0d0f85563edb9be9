import type { Route } from '@hearth/contract/defineRoute.ts';
import { exampleVariables } from '@hearth/contract/examples.ts';
import { createOpenApiDocument, type OpenApiDocument } from '@hearth/contract/openapi.ts';
import { routes } from '@hearth/contract/routes.ts';
import { apiVersion } from '@hearth/contract/system.ts';
import { curlSample, nameOfVariable, typeScriptSample } from './codeSamples.ts';

const all: readonly Route[] = Object.values(routes);

/** Returns a route's example in both languages. */
export const samplesOf = (operationId: keyof typeof routes) => {
  const route = routes[operationId] as Route;
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(route) },
    { lang: 'TypeScript', label: 'TypeScript', source: typeScriptSample(route) },
  ] as const;
};

const aboutExamples = [
  '',
  '## Examples',
  '',
  'Each route has an example for curl and one for TypeScript as Node.js 24 runs it. They leave to you what is yours: `$TOKEN` in the shell is the ' +
    'constant `token` in TypeScript.',
  '',
  '| shell | TypeScript | |',
  '| --- | --- | --- |',
  ...Object.entries(exampleVariables).map(
    ([name, meaning]) => `| \`$${name}\` | \`${nameOfVariable(name)}\` | ${meaning} |`,
  ),
].join('\n');

/** Returns the server's OpenAPI document, extended by code samples and a chapter about them. */
export const createSiteDocument = (): OpenApiDocument => {
  const document = createOpenApiDocument({ version: apiVersion });
  const paths = structuredClone(document.paths) as Record<string, Record<string, object>>;
  for (const { path, method, operationId } of all) {
    const operation = paths[path]?.[method];
    if (operation === undefined) throw new Error(`no operation ${operationId}`);
    Object.assign(operation, { 'x-codeSamples': samplesOf(operationId as keyof typeof routes) });
  }
  const info = { ...document.info, description: `${document.info.description}\n${aboutExamples}` };
  return { ...document, info, paths };
};
