import { z } from 'zod';
import { defaultPageSize, maxPage, maxPageSize } from './limits.ts';

// Values of a query arrive as text, and as a list of texts where a name is repeated; lists fit none of these schemas.
// Names that a route does not know are ignored: links are passed on with additions of others.

/** A whole number from `min` to `max` in plain decimal digits: no sign, exponent, space or leading zero. */
export const queryInteger = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.preprocess(
    (value: string | number) => (typeof value === 'string' && /^(0|[1-9]\d*)$/.test(value) ? Number(value) : value),
    z.int({ error }).min(min, { error }).max(max, { error }),
  );
};

/** `true` or `false`, written so. */
export const queryFlag = z.preprocess(
  (value: string | boolean) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean({ error: 'must be true or false' }),
);

const PageQuery = z.object({
  page: queryInteger(1, maxPage).prefault(1).meta({ description: 'Which page, counted from 1.' }),
  limit: queryInteger(1, maxPageSize).prefault(defaultPageSize).meta({ description: 'How many on a page.' }),
});

const cursor = (form: RegExp) =>
  z.string().regex(form, 'is not a cursor of this list').optional().meta({
    description:
      'Taken from the `next` link of the page before, whose meaning is the server’s own; `page` is then ignored.',
  });

/** Where a list of media items is entered: at a page, or, in the same time however deep, at the `cursor` that a page before gave. */
export const CursorQuery = PageQuery.extend({ cursor: cursor(/^[A-Za-z0-9_-]{1,512}$/) });

/** Where another list is entered; its cursors may hold names, of 255 characters and more bytes. */
export const ListQuery = PageQuery.extend({ cursor: cursor(/^[A-Za-z0-9_-]{1,4096}$/) });

/** Where a list is entered that has no numbered pages: at the beginning, or at the `cursor` that a page before gave. */
export const KeysetQuery = CursorQuery.omit({ page: true }).extend({
  cursor: CursorQuery.shape.cursor.meta({
    description: 'Taken from the `next` link of the page before, whose meaning is the server’s own.',
  }),
});
