/** The parts of an OpenAPI schema that the reference shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Larger bounds are only the limits of JSON integers and are not shown. */
const largestBound = 2 ** 45;

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** Returns the name of a referenced schema. */
export const getRefName = (ref: string): string => ref.split('/').at(-1)!;

/** Returns the anchor of a named schema's section. */
export const toAnchor = (name: string): string => `schema-${name}`;

/**
 * Renders a type as Markdown: `text`, `list of MediaItem`, or the values of an enum. `link` returns the URL of a named
 * schema.
 */
export const renderType = (schema: Schema, link: (name: string) => string): string => {
  const { $ref, type, format, items, const: only } = schema;
  if ($ref !== undefined) return `[${getRefName($ref)}](${link(getRefName($ref))})`;
  if (only !== undefined) return code(only);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return either.map((each) => renderType(each, link)).join(' or ');
  if (type === 'array') return `list of ${renderType(items ?? {}, link)}`;
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return `object of ${renderType(schema.additionalProperties, link)}`;
  if (type === 'string') return format === undefined ? 'text' : `text, ${format}`;
  return [type ?? 'anything'].flat().join(' or ');
};

/** Renders the bounds of a value, such as `1 to 200` or `at most 255 characters`. Empty if it has none. */
const renderBounds = ({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string =>
  [
    range(minimum, maximum, ''),
    range(minLength === 0 ? undefined : minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' entries'),
  ]
    .filter((each) => each !== '')
    .join(', ');

const range = (from: number | undefined, to: number | undefined, unit: string): string => {
  const [min, max] = [from, to].map((bound) =>
    bound === undefined || Math.abs(bound) > largestBound ? undefined : bound.toLocaleString('en'),
  );
  if (max === undefined) return min === undefined || min === '0' ? '' : `at least ${min}${unit}`;
  return min === undefined ? `at most ${max}${unit}` : `${min} to ${max}${unit}`;
};

/** Renders the description of a field with its bounds and default. */
export const renderMeaning = (schema: Schema): string =>
  [
    schema.description ?? '',
    upper(renderBounds(schema.anyOf?.find(({ type }) => type !== 'null') ?? schema)),
    schema.default === undefined ? '' : `Default: ${code(schema.default)}.`,
  ]
    .filter((each) => each !== '')
    .map((each) => (/[.!?]$/.test(each) ? each : `${each}.`))
    .join(' ');

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A field or parameter, by its path. */
export interface ListedField {
  readonly path: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  /** Where a parameter is, such as `query`. */
  readonly place?: string;
}

/**
 * Lists the fields of an object, including nested ones, by paths such as `bounds.west`, and whether each is required.
 */
export const listFields = (schema: Schema, prefix = ''): readonly ListedField[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const inner = field.type === 'array' ? (field.items ?? {}) : field;
    const within = listFields(inner, field.type === 'array' ? `${path}[].` : `${path}.`);
    return [{ path, isRequired: schema.required?.includes(name) === true, schema: field }].concat(within);
  });
