import { z } from 'zod';
import { maxIdsPerRequest } from './limits.ts';
import { Id, text } from './scalars.ts';

/** 1 to 1,000 ids; one that is named twice counts once. */
export const Ids = z
  .array(Id)
  .min(1)
  .max(maxIdsPerRequest)
  .transform((ids) => [...new Set(ids)]);

/**
 * The body of a change: any of the fields of `shape`, at least one, and no others. A field that is left out stays as it
 * is; in those that can be empty, `null` removes the value.
 */
export const changes = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .strictObject(shape)
    .partial()
    .refine((body) => Object.values(body).some((value) => value !== undefined), 'must change at least one field')
    .meta({ minProperties: 1 });

/** Text that need not be given; the empty text, as forms send it, counts as not given. */
export const optionalText = (max: number) =>
  text(0, max)
    .transform((value) => (value === '' ? undefined : value))
    .optional();

/** Text that can be removed, by `null` or the empty text; both are answered as `null`. */
export const clearableText = (max: number) =>
  text(0, max)
    .nullable()
    .transform((value) => (value === '' ? null : value))
    .meta({ description: '`null` removes it.' });
