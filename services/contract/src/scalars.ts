import { z } from 'zod';

/**
 * The id of anything, in lower case. Every 8-4-4-4-12 form is taken, whatever version it claims: an id that is none of
 * ours is not found (404), and only one that is no uuid at all is not valid (400).
 */
export const Id = z
  .guid({ error: 'must be a uuid' })
  .toLowerCase()
  .meta({ example: '8f14e45f-ceea-467f-a9b5-3c1e2b7d9a10' });

/** An instant: RFC 3339 in UTC, `2022-04-03T07:26:11Z`, fractions of a second where known. */
export const Timestamp = z.iso.datetime().meta({ example: '2022-04-03T07:26:11Z' });

/** What a clock on the wall showed, `2022-04-03T12:56:11`, fractions of a second where known; never with a zone. */
export const LocalTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?$/)
  .meta({ example: '2022-04-03T12:56:11' });

/** A day of local time. */
export const Day = z.iso
  .date()
  // There is no year 0.
  .refine((day) => !day.startsWith('0000'), 'must be a day');

/** Hours and minutes by which a clock on the wall was ahead of UTC, `+05:30`. */
export const UtcOffset = z
  .string()
  .regex(/^[+-]\d{2}:\d{2}$/)
  .meta({ example: '+05:30' });

/** One of some upper-case words, in any case. */
export const word = <const Words extends readonly string[]>(words: Words) =>
  z.preprocess(
    (value: string) => (typeof value === 'string' ? value.toUpperCase() : value),
    z.enum(words, { error: `must be one of ${words.join(', ')}` }),
  );

/** What the document says of words of answers that there will be more of: a client passes over those that it does not know. */
export const extensible = { 'x-extensible': true } as const;

/** One of the keys of `list`, which grows. */
export const keyOf = <Key extends string>(list: Readonly<Record<Key, unknown>>) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys forgets what the type says
  z.enum(Object.keys(list) as Key[]).meta(extensible);

/**
 * Text of `min` to `max` characters (code points, as JSON Schema counts) in any number of lines, kept as it is.
 * What the database could not give back unchanged is refused: NUL characters and halves of surrogate pairs.
 */
export const text = (min: number, max: number) => limited(z.string(), min, max);

/** Embeddings and overrides of the writing direction, which reorder the text around a name. Isolates, which do not, are allowed. */
const bidiOverride = /[\u202a-\u202e]/u;

/** A character that leaves a mark. Fonts show nothing for U+2800 and for ignorable code points, such as Hangul fillers. */
const visible = /[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * One line of 1 to `max` characters, one of them visible, without control characters and bidirectional overrides. Space around it is removed and letters are composed
 * (Unicode NFC), so that the same name typed on two systems is the same text.
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

/** Text of 1 to `max` characters; space around it is removed. */
export const trimmedText = (max: number) => limited(z.string().trim(), 1, max);

/** A password of `min` to `max` characters, composed as RFC 8265 asks, so that every keyboard types the same one. */
export const password = (min: number, max: number) =>
  limited(z.string().normalize('NFC'), min, max).meta({ format: 'password', minLength: min, maxLength: max });

function limited(schema: z.ZodString, min: number, max: number): z.ZodString {
  return schema
    .refine((value) => !/[\0\p{Cs}]/u.test(value), 'contains characters that cannot be stored')
    .refine((value) => isWithin(Array.from(value).length, min, max), `must have ${min} to ${max} characters`)
    .meta({ minLength: min, maxLength: max });
}

const isWithin = (value: number, min: number, max: number): boolean => value >= min && value <= max;
