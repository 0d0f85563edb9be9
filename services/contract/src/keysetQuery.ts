import { CursorQuery } from './query.ts';

/** Where a list is entered that has no numbered pages: at the beginning, or at the `cursor` that a page before gave. */
export const KeysetQuery = CursorQuery.omit({ page: true }).extend({
  cursor: CursorQuery.shape.cursor.meta({
    description: 'Taken from the `next` link of the page before, whose meaning is the server’s own.',
  }),
});
