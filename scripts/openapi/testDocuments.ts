import { readDocument, type Operation } from './document.ts';
import type { Schema } from './schema.ts';

export const text: Schema = { type: 'string' };
export const strict = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
export const open = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
});
export const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values });
export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
export const event = (name: string): Schema => open({ event: { type: 'string', const: name } }, ['event']);

/** Operations by their paths, of which only what matters to a test is given. */
export type Paths = Record<string, Record<string, Partial<Operation>>>;
/** Signing in by bearer token and in no other way. */
export const bearer = [{ bearer: [] }];

/** A document with these operations. */
export const documentOf = (paths: Paths) => {
  const whole = Object.entries(paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        { operationId: 'call', security: bearer, responses: { 200: {} }, ...operation },
      ]),
    ),
  ]);
  return readDocument(JSON.stringify({ info: { version: '1' }, paths: Object.fromEntries(whole) }));
};

export const call = (operation: Partial<Operation>): Paths => ({ '/a': { post: operation } });
/** One operation that takes this as JSON. */
export const sends = (schema: Schema): Paths =>
  call({ requestBody: { required: true, content: { 'application/json': { schema } } } });
/** One operation that answers this as JSON. */
export const reads = (schema: Schema): Paths =>
  call({ responses: { 200: { content: { 'application/json': { schema } } } } });
/** One operation with a parameter. */
export const asks = (schema: Schema, required = false, name = 'q'): Paths =>
  call({ parameters: [{ in: 'query', name, required, schema }] });
export const answers = (...statuses: number[]): Paths =>
  call({ responses: Object.fromEntries(statuses.map((status) => [status, {}])) });
export const carries = (headers: Record<string, { required?: boolean; schema: Schema }>): Paths =>
  call({ responses: { 200: { headers } } });
