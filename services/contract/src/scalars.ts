import { z } from 'zod';

/** A lower-case id. Accepts any UUID version: an unknown id is 404, and only a text that is no UUID is 400. */
export const Id = z
  .guid({ error: 'must be a uuid' })
  .toLowerCase()
  .meta({ example: '8f14e45f-ceea-467f-a9b5-3c1e2b7d9a10' });

/** An instant: RFC 3339 in UTC, `2022-04-03T07:26:11Z`, with fractions of a second if known. */
export const Timestamp = z.iso.datetime().meta({ example: '2022-04-03T07:26:11Z' });

/** A local time without a zone, `2022-04-03T12:56:11`, with fractions of a second if known. */
export const LocalTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?$/)
  .meta({ example: '2022-04-03T12:56:11' });

/** A day of local time. */
export const Day = z.iso
  .date()
  // Year 0 does not exist.
  .refine((day) => !day.startsWith('0000'), 'must be a day');

/** The offset of a local time from UTC, `+05:30`. */
export const UtcOffset = z
  .string()
  .regex(/^[+-]\d{2}:\d{2}$/)
  .meta({ example: '+05:30' });

/** One of the given upper-case words. Accepts any case and converts to upper case. */
export const word = <const Words extends readonly string[]>(words: Words) =>
  z.preprocess(
    (value: string) => (typeof value === 'string' ? value.toUpperCase() : value),
    z.enum(words, { error: `must be one of ${words.join(', ')}` }),
  );

/** Marks lists of words in responses that may grow. Clients must ignore unknown words. */
export const extensible = { 'x-extensible': true } as const;

/** A key of `list`, which may get more keys. */
export const keyEnum = <Key extends string>(list: Readonly<Record<Key, unknown>>) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of Object.keys does not keep the keys
  z.enum(Object.keys(list) as Key[]).meta(extensible);

/**
 * Multi-line text of `min` to `max` characters (code points, as in JSON Schema), unchanged. Rejects what the database
 * cannot store: NUL and unpaired surrogates.
 */
export const text = (min: number, max: number) => limited(z.string(), min, max);

/**
 * Embeddings and overrides of the writing direction, which reorder text around a name. Isolates do not and are allowed.
 */
const bidiOverride = /[\u202a-\u202e]/u;

/** A visible character. Fonts show nothing for U+2800 and for ignorable code points, such as Hangul fillers. */
const visible = /[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * One line of 1 to `max` characters, at least one of them visible, without control characters and bidirectional
 * overrides. Trims it and composes letters (Unicode NFC), so that the same name typed on two systems is the same text.
 */
export const line = (max: number) =>
  limited(
    z
      .string()
      .normalize('NFC')
      .trim()
      .refine((value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value), 'must be one line without control characters')
      .refine((value) => !bidiOverride.test(value), 'must not contain bidirectional overrides')
      .refine((value) => value === '' || visible.test(value), 'must have a visible character'),
    1,
    max,
  );

/** Trimmed text of 1 to `max` characters. */
export const trimmedText = (max: number) => limited(z.string().trim(), 1, max);

/**
 * A password of `min` to `max` characters, composed according to RFC 8265, so that it does not depend on the keyboard.
 */
export const password = (min: number, max: number) =>
  limited(z.string().normalize('NFC'), min, max).meta({ format: 'password', minLength: min, maxLength: max });

function limited(schema: z.ZodString, min: number, max: number): z.ZodString {
  return schema
    .refine((value) => !/[\0\p{Cs}]/u.test(value), 'contains unsupported characters')
    .refine((value) => isWithin(Array.from(value).length, min, max), `must have ${min} to ${max} characters`)
    .meta({ minLength: min, maxLength: max });
}

const isWithin = (value: number, min: number, max: number): boolean => value >= min && value <= max;
