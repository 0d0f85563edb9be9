import { z } from 'zod';
import { defaultPageSize, maxPage, maxPageSize } from './limits.ts';

// Values of a query are texts, or lists of texts if a name is repeated; these schemas reject lists. Unknown names are
// ignored, because links get extra parameters when they are shared.

/** An integer from `min` to `max` in plain decimal digits: no sign, exponent, space or leading zero. */
export const queryInteger = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.preprocess(
    (value: string | number) => (typeof value === 'string' && /^(0|[1-9]\d*)$/.test(value) ? Number(value) : value),
    z.int({ error }).min(min, { error }).max(max, { error }),
  );
};

/** `true` or `false`. */
export const queryFlag = z.preprocess(
  (value: string | boolean) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean({ error: 'must be true or false' }),
);

const PageQuery = z.object({
  page: queryInteger(1, maxPage).prefault(1).meta({ description: 'The page number, from 1.' }),
  limit: queryInteger(1, maxPageSize).prefault(defaultPageSize).meta({ description: 'Items per page.' }),
});

const cursor = (form: RegExp) =>
  z.string().regex(form, 'is not a valid cursor of this list').optional().meta({
    description: 'An opaque value from the `next` link of the previous page; `page` is then ignored.',
  });

/**
 * A position in a list of media items: a page, or a `cursor` from the previous page, which takes the same time at any
 * depth.
 */
export const CursorQuery = PageQuery.extend({ cursor: cursor(/^[A-Za-z0-9_-]{1,512}$/) });

/** A position in other lists. Their cursors may contain names, of 255 characters and even more bytes. */
export const ListQuery = PageQuery.extend({ cursor: cursor(/^[A-Za-z0-9_-]{1,4096}$/) });

/** A position in a list without page numbers: the beginning, or a `cursor` from the previous page. */
export const KeysetQuery = CursorQuery.omit({ page: true }).extend({
  cursor: CursorQuery.shape.cursor.meta({
    description: 'An opaque value from the `next` link of the previous page.',
  }),
});
