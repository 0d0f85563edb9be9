import { isDeepStrictEqual } from 'node:util';
import { alternativesOf, isOfType, type Alternative, type Schema } from './schema.ts';

/** Who reads a value of a schema: the server what clients send, or a client what the server answers. */
export type Direction = 'request' | 'response';

/** Something that the writer of a value may write and its reader does not expect; `at` is where in the value. */
export type Loss = { readonly at: string } & (
  | { readonly kind: 'missing' | 'unknown' | 'ignored' }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'otherValues'; readonly values: readonly unknown[] }
  | { readonly kind: 'type'; readonly type: string; readonly expected: string }
  | { readonly kind: 'limit'; readonly keyword: Limit; readonly limit: number }
  | { readonly kind: 'keyword'; readonly keyword: string }
);

/** Keywords that bound a value, and whether from above. */
export const limits = {
  maximum: true,
  exclusiveMaximum: true,
  minimum: false,
  exclusiveMinimum: false,
  maxLength: true,
  minLength: false,
  maxItems: true,
  minItems: false,
  maxProperties: true,
  minProperties: false,
} as const satisfies Record<string, boolean>;
export type Limit = keyof typeof limits;

/** Keywords that allow and refuse nothing, and those that are looked at by name. */
const notCompared = new Set([
  'description',
  'title',
  'default',
  'example',
  'deprecated',
  'x-extensible',
  'type',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'items',
]);

/**
 * What a reader of `wide` meets in values of `narrow` and does not expect. In a request clients write by the old schema and the server reads
 * by the new one, in a response the other way round.
 */
export const findLosses = (narrow: Schema, wide: Schema, direction: Direction, at: string): Loss[] => {
  const expected = alternativesOf(wide);
  const isExtensible = direction === 'response' && wide['x-extensible'] === true;
  return alternativesOf(narrow).flatMap((each) => {
    const losses = lossesOfOne(each, expected, direction, at);
    return isExtensible && losses.some(({ kind }) => kind === 'value') ? [] : losses;
  });
};

/** Against the alternative that it fits best. */
const lossesOfOne = (
  one: Alternative,
  expected: readonly Alternative[],
  direction: Direction,
  at: string,
): readonly Loss[] => {
  const ofType = expected.filter((each) => isOfType(one, each));
  if (ofType.length === 0) {
    const types = [...new Set(expected.map(({ type = 'anything' }) => type))].join(' or ');
    return [{ at, kind: 'type', type: one.type ?? 'anything', expected: types }];
  }
  const open = ofType.filter((each) => !('const' in each));
  const values = ofType.filter((each) => 'const' in each).map((each) => each.const);
  if ('const' in one && values.some((value) => isDeepStrictEqual(value, one.const))) return [];
  if (open.length === 0) {
    return ['const' in one ? { at, kind: 'value', value: one.const } : { at, kind: 'otherValues', values }];
  }
  const [best = []] = open.map((each) => compare(one, each, direction, at)).toSorted((a, b) => a.length - b.length);
  return best;
};

const compare = (narrow: Alternative, wide: Alternative, direction: Direction, at: string): Loss[] => [
  ...compareKeywords(narrow, wide, at),
  ...compareProperties(narrow, wide, direction, at),
  ...compareParts(narrow.items ?? {}, wide.items, direction, `${at}[]`),
  ...compareParts(narrow.propertyNames, wide.propertyNames, direction, `${at}.*`),
  ...compareParts(recordOf(narrow), recordOf(wide), direction, `${at}.*`),
];

const compareKeywords = (narrow: Alternative, wide: Alternative, at: string): Loss[] =>
  Object.entries(wide).flatMap(([keyword, value]): Loss[] => {
    if (notCompared.has(keyword)) return [];
    if (!isLimit(keyword)) {
      return isDeepStrictEqual(narrow[keyword], value) || isFitting(narrow, keyword, value)
        ? []
        : [{ at, kind: 'keyword', keyword }];
    }
    const [limit, given] = [Number(value), narrow[keyword]];
    const isWithin = typeof given === 'number' && (limits[keyword] ? given <= limit : given >= limit);
    return isWithin || isFitting(narrow, keyword, value) ? [] : [{ at, kind: 'limit', keyword, limit }];
  });

/** Whether one value fits a pattern or a length, where that can be said. */
const isFitting = ({ const: value }: Alternative, keyword: string, expected: unknown): boolean => {
  if (typeof value !== 'string') return false;
  if (keyword === 'pattern') return new RegExp(String(expected), 'u').test(value);
  if (keyword === 'minLength') return value.length >= Number(expected);
  return keyword === 'maxLength' && value.length <= Number(expected);
};

/** A field that only the writer knows is passed over in answers, and refused in requests unless that is said; one that only the reader knows is never there. */
const compareProperties = (narrow: Alternative, wide: Alternative, direction: Direction, at: string): Loss[] => {
  const [given, expected] = [narrow.properties ?? {}, wide.properties ?? {}];
  const missing = (wide.required ?? []).filter((name) => name in given && !(narrow.required ?? []).includes(name));
  const unread = direction === 'request' ? Object.keys(given).filter((name) => !(name in expected)) : [];
  const gone = Object.keys(expected).filter((name) => !(name in given) && isMissed(wide, name, direction));
  const isStrict = wide.additionalProperties === false;
  return [
    ...missing.map((name) => ({ at: join(at, name), kind: 'missing' as const })),
    ...unread.map((name) => ({ at: join(at, name), kind: isStrict ? ('unknown' as const) : ('ignored' as const) })),
    ...gone.map((name) => ({
      at: join(at, name),
      kind: direction === 'request' ? ('missing' as const) : ('unknown' as const),
    })),
    ...Object.entries(expected).flatMap(([name, schema]) =>
      compareParts(given[name], schema, direction, join(at, name)),
    ),
  ];
};

/** A client misses every field that it may read, the server those that it needs. */
const isMissed = ({ required = [] }: Alternative, name: string, direction: Direction): boolean =>
  direction === 'response' || required.includes(name);

const compareParts = (narrow: Schema | undefined, wide: Schema | undefined, direction: Direction, at: string): Loss[] =>
  narrow === undefined || wide === undefined ? [] : findLosses(narrow, wide, direction, at);

const recordOf = ({ additionalProperties: values }: Alternative): Schema | undefined =>
  typeof values === 'object' ? values : undefined;

const isLimit = (keyword: string): keyword is Limit => keyword in limits;

const join = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);
