/** The part of JSON Schema that the contract uses; references have been resolved. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly default?: unknown;
  /** Ours: clients have been told that more values will follow, and that those they do not know are to be passed over. */
  readonly 'x-extensible'?: boolean;
  readonly [keyword: string]: unknown;
}

/** One of the things that a schema allows: of one type, or one value. */
export interface Alternative extends Schema {
  readonly type?: string;
  readonly anyOf?: never;
  readonly oneOf?: never;
  readonly enum?: never;
}

/** Everything that a schema allows, each by itself: the members of unions, the types of lists of types, the values of enumerations. */
export const alternativesOf = (schema: Schema): readonly Alternative[] => {
  const { anyOf, oneOf, enum: values, type, ...rest } = schema;
  const union = anyOf ?? oneOf;
  if (union !== undefined) return union.flatMap((each) => alternativesOf({ ...rest, ...each }));
  if (values !== undefined)
    return values.map((value) => Object.assign({}, rest, { type: typeOfValue(value), const: value }));
  if (Array.isArray(type)) return type.flatMap((each: string) => alternativesOf({ ...rest, type: each }));
  if ('const' in rest) return [{ ...rest, type: typeOfValue(rest.const) }];
  return [typeof type === 'string' ? { ...rest, type } : rest];
};

/** Whether everything of one type is also of the other. */
export const isOfType = ({ type }: Alternative, other: Alternative): boolean =>
  other.type === undefined || type === other.type || (type === 'integer' && other.type === 'number');

const typeOfValue = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};
