import { z } from 'zod';
import { maxIdsPerRequest } from './limits.ts';
import { Id, text } from './scalars.ts';

/** 1 to 1,000 ids. Duplicates are removed. */
export const Ids = z
  .array(Id)
  .min(1)
  .max(maxIdsPerRequest)
  .transform((ids) => [...new Set(ids)]);

/**
 * Schema of an update: at least one of the fields of `shape`, and no others. Omitted fields stay unchanged, and `null`
 * removes the value of an optional field.
 */
export const changes = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .strictObject(shape)
    .partial()
    .refine((body) => Object.values(body).some((value) => value !== undefined), 'must change at least one field')
    .meta({ minProperties: 1 });

/** Optional text. An empty text, as forms send it, counts as omitted. */
export const optionalText = (max: number) =>
  text(0, max)
    .transform((value) => (value === '' ? undefined : value))
    .optional();

/** Text that `null` or an empty text removes. Both are parsed to `null`. */
export const clearableText = (max: number) =>
  text(0, max)
    .nullable()
    .transform((value) => (value === '' ? null : value))
    .meta({ description: '`null` removes it.' });
