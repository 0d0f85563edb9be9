import type { Schema } from './schema.ts';

/** The part of an OpenAPI document that promises something; references have been resolved. */
export interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Operation {
  readonly operationId: string;
  /** Each of these is enough to sign in; none at all: nobody has to. */
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Response {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
  readonly content?: Content;
}

/** What there is by content type; bytes have no schema. */
export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** Reads a document and puts what references lead to in their place. */
export const readDocument = (json: string): Document => {
  const whole: unknown = JSON.parse(json);
  const resolve = (_key: string, value: unknown): unknown => {
    const reference = (value as { $ref?: unknown } | null)?.$ref;
    if (typeof reference !== 'string') return value;
    const { $ref: _, ...besides } = value as { $ref: string };
    const target: unknown = JSON.parse(JSON.stringify(find(whole, reference)), resolve);
    return { ...(target as object), ...besides };
  };
  return JSON.parse(json, resolve) as Document;
};

const find = (whole: unknown, reference: string): unknown =>
  reference
    .replace('#/', '')
    .split('/')
    .reduce((part, name) => (part as Record<string, unknown>)[name], whole);
