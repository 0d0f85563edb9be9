import { fc } from '../run/fastCheck.ts';
import { createOpenApiDocument } from '@hearth/contract/openapi.ts';
import { routes } from '@hearth/contract/routes.ts';
import { apiVersion } from '@hearth/contract/system.ts';
import { anyValue, type Ingredients, type Place, type Schema } from './anyValue.ts';
import type { CallOptions, RouteName } from './client.ts';
import { multipart, type Part } from './multipart.ts';

/** Returns true if requests of the route contain ids. */
export const hasIdParameters = (name: RouteName): boolean => {
  const { parameters = [], requestBody } = getOperation(name);
  return JSON.stringify([parameters.filter(({ required }) => required), requestBody]).includes('"uuid"');
};

/**
 * Generates requests of a route from the contract, most of them valid.
 * @throws Error with the schema of a required value that cannot be generated
 */
export const anyRequest = (name: RouteName, ingredients: Ingredients): fc.Arbitrary<CallOptions> => {
  const operation = getOperation(name);
  const makePart = (part: Place['in']) => anyParameters(name, operation, part, ingredients);
  return fc
    .tuple(makePart('path'), makePart('query'), makePart('header'), anyBody(name, operation, ingredients))
    .map(([params, query, headers, { headers: contentType, ...body }]) =>
      Object.assign(body, {
        params,
        query,
        headers: Object.assign(headers, contentType),
        // Keeps file contents out of failure messages.
        [fc.toStringMethod]: () => JSON.stringify({ params, query, headers, body: body.body, bytes: body.raw?.length }),
      }),
    );
};

type Body = Pick<CallOptions, 'body' | 'raw' | 'headers'>;

interface Operation {
  readonly parameters?: readonly {
    readonly in: Place['in'];
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema?: Schema }>>;
  };
}

const anyParameters = (
  name: RouteName,
  { parameters = [] }: Operation,
  part: Place['in'],
  ingredients: Ingredients,
): fc.Arbitrary<Record<string, string>> => {
  const values = parameters
    .filter((parameter) => parameter.in === part)
    .map(({ name: key, schema, required = false }) => {
      const value = anyValue(schema, ingredients, { in: part, at: `${name} ${key}` }).map(toText);
      return [key, required ? value : mostlyDefined(value)] as const;
    });
  return fc.record(Object.fromEntries(values)).map(removeUndefined);
};

const anyBody = (name: RouteName, { requestBody }: Operation, ingredients: Ingredients): fc.Arbitrary<Body> => {
  if (requestBody === undefined) return fc.constant({});
  const [[type, { schema = {} }] = ['', {}]] = Object.entries(requestBody.content);
  const place: Place = { in: 'body', at: `${name} body` };
  if (type === 'application/json') return anyValue(schema, ingredients, place).map((body) => ({ body }));
  if (type === 'multipart/form-data') return anyParts(schema, ingredients, place);
  const bytes = fc.constantFrom(...ingredients.files);
  const raw = requestBody.required === true ? bytes : mostlyDefined(bytes);
  return raw.map((content) => (content === undefined ? {} : { raw: content, headers: { 'content-type': type } }));
};

const anyParts = ({ properties = {} }: Schema, ingredients: Ingredients, place: Place): fc.Arbitrary<Body> => {
  const parts = Object.entries(properties).map(([name, schema]) => {
    if (schema.format === 'binary') {
      return fc.constantFrom(...ingredients.files).map((content): Part => ({ name, filename: 'a.jpg', content }));
    }
    return mostlyDefined(anyValue(schema, ingredients, place).map((value): Part => ({ name, content: toText(value) })));
  });
  return fc.tuple(...parts).map((generated) => multipart(generated.filter((part) => part !== undefined)));
};

/** Sometimes generates undefined, for optional values. */
const mostlyDefined = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { freq: 3, nil: undefined });

/** Converts a value for paths, queries, headers and form fields. */
const toText = (value: unknown): string =>
  Array.isArray(value) ? value.map(toText).join(',') : typeof value === 'string' ? value : JSON.stringify(value);

const removeUndefined = (values: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

const getOperation = (name: RouteName): Operation => {
  const { path, method } = routes[name];
  return document.paths[path]![method]!;
};

/** The OpenAPI document with all references resolved. */
const document = (() => {
  const text = JSON.stringify(createOpenApiDocument({ version: apiVersion }));
  const { components } = JSON.parse(text) as { components: { schemas: Readonly<Record<string, unknown>> } };
  const resolve = (_key: string, value: unknown): unknown => {
    const reference = (value as { $ref?: string } | null)?.$ref;
    const [, schema] = /^#\/components\/schemas\/(\w+)$/.exec(reference ?? '') ?? [];
    return schema === undefined ? value : JSON.parse(JSON.stringify(components.schemas[schema]), resolve);
  };
  return JSON.parse(text, resolve) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
})();
