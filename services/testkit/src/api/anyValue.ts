import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fc } from '../run/fastCheck.ts';

/** Values to put into requests, of another user and of the calling user. */
export interface Ingredients {
  /** Ids, checksums, cursors and other texts of another user's library. */
  readonly foreign: readonly string[];
  readonly foreignNumbers: readonly number[];
  readonly ownIds: readonly string[];
  readonly files: readonly Buffer[];
}

/** The subset of JSON Schema used by the contract, with references resolved. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly example?: unknown;
}

/** Part of the request that a value is for, and its name. */
export interface Place {
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly at: string;
}

/**
 * Generates values for a schema.
 * @throws Error with the schema and its position if it is not supported
 */
export const anyValue = (schema: Schema, ingredients: Ingredients, place: Place): fc.Arbitrary<unknown> => {
  const { properties, required = [], items, minItems = 0, minimum = 0, maximum = 1_000 } = schema;
  const inner = (innerSchema: Schema, at = place.at) => anyValue(innerSchema, ingredients, { ...place, at });
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (alternatives !== undefined) return fc.oneof(...alternatives.map((alternative) => inner(alternative)));
  if (schema.type === 'string') return anyText(schema, ingredients, place);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'integer' || schema.type === 'number') {
    return orForeignValue(ingredients.foreignNumbers, schema, fc.integer({ min: minimum, max: maximum }));
  }
  if (schema.type === 'array' && items !== undefined) {
    return fc.array(inner(items), { minLength: minItems, maxLength: minItems + 4 });
  }
  if (schema.type === 'object' && properties !== undefined) {
    const values = Object.entries(properties).map(
      ([key, property]) => [key, inner(property, `${place.at}.${key}`)] as const,
    );
    return fc
      .record<Record<string, unknown>, string>(Object.fromEntries(values), { requiredKeys: [...required] })
      .filter((value) => Object.keys(value).length >= (schema.minProperties ?? 0));
  }
  throw unsupportedError(schema, place);
};

const anyText = (schema: Schema, { foreign, ownIds }: Ingredients, place: Place): fc.Arbitrary<string> => {
  const { format, pattern, example, minLength = 0, maxLength = 100 } = schema;
  const examples = typeof example === 'string' ? [fc.constant(example)] : [];
  if (format === 'uuid') {
    const own = fc.constantFrom(...ownIds);
    return fc.oneof({ weight: 8, arbitrary: orForeignValue(foreign, schema, own) }, own, fc.uuid());
  }
  if ((format === undefined || format === 'date') && pattern !== undefined) {
    return orForeignValue(foreign, schema, fc.oneof(fc.stringMatching(new RegExp(pattern)), ...examples));
  }
  if (examples.length > 0) return fc.oneof(...examples);
  if (format !== undefined && format !== 'password') throw unsupportedError(schema, place);
  // Texts in a body are new content of the user, while headers and queries may refer to existing data.
  if (place.in === 'body') return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 20) });
  return orForeignValue(foreign, schema, fc.stringMatching(/^[!-~]{1,40}$/));
};

/** Mostly generates values of another user, if any of them matches the schema. */
const orForeignValue = <Value>(
  foreign: readonly Value[],
  schema: Schema,
  other: fc.Arbitrary<Value>,
): fc.Arbitrary<Value> => {
  const isValid = ajv.compile(schema);
  const valid = foreign.filter((value) => isValid(value));
  if (valid.length === 0) return other;
  return fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...valid) }, { weight: 1, arbitrary: other });
};

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const unsupportedError = (schema: Schema, { at }: Place): Error =>
  new Error(
    `${at}: cannot generate a value for ${JSON.stringify(schema)}; add an example, or extend testkit/src/api/anyValue.ts`,
  );
