/** The parts of an OpenAPI schema that the reference shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
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
const nameOf = (ref: string): string => ref.split('/').at(-1)!;

/** Returns the anchor of a named schema's section. */
export const anchorOf = (name: string): string => `schema-${name}`;

/**
 * Renders a type as Markdown: `text`, `list of MediaItem`, or the values of an enum. Named schemas are links to their
 * sections.
 */
export const typeText = (schema: Schema): string => {
  const { $ref, type, format, items, const: only } = schema;
  if ($ref !== undefined) return `[${nameOf($ref)}](#${anchorOf(nameOf($ref))})`;
  if (only !== undefined) return code(only);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return either.map(typeText).join(' or ');
  if (type === 'array') return `list of ${typeText(items ?? {})}`;
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return `object of ${typeText(schema.additionalProperties)}`;
  if (type === 'string') return format === undefined ? 'text' : `text, ${format}`;
  return [type ?? 'anything'].flat().join(' or ');
};

/** Renders the bounds of a value, such as `1 to 200` or `255 characters at most`. Empty if it has none. */
const boundText = ({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string =>
  [
    range(minimum, maximum, ''),
    range(minLength === 0 ? undefined : minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' of them'),
  ]
    .filter((each) => each !== '')
    .join(', ');

const range = (from: number | undefined, to: number | undefined, unit: string): string => {
  const [least, most] = [from, to].map((bound) =>
    bound === undefined || Math.abs(bound) > largestBound ? undefined : bound.toLocaleString('en'),
  );
  if (most === undefined) return least === undefined || least === '0' ? '' : `${least}${unit} at least`;
  return least === undefined ? `${most}${unit} at most` : `${least} to ${most}${unit}`;
};

/** Renders the description of a field with its bounds and default. */
export const meaningText = (schema: Schema): string =>
  [
    schema.description ?? '',
    upper(boundText(schema.anyOf?.find(({ type }) => type !== 'null') ?? schema)),
    schema.default === undefined ? '' : `${code(schema.default)} unless given.`,
  ]
    .filter((each) => each !== '')
    .map((each) => (/[.!?]$/.test(each) ? each : `${each}.`))
    .join(' ');

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Lists the fields of an object, including nested ones, by paths such as `bounds.west`, and whether each is required.
 */
export const listFields = (
  schema: Schema,
  prefix = '',
): readonly { readonly path: string; readonly isRequired: boolean; readonly schema: Schema }[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const inner = field.type === 'array' ? (field.items ?? {}) : field;
    const within = listFields(inner, field.type === 'array' ? `${path}[].` : `${path}.`);
    return [{ path, isRequired: schema.required?.includes(name) === true, schema: field }].concat(within);
  });
