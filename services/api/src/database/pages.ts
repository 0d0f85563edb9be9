import { sql, type RawBuilder } from 'kysely';
import { firstId } from '@hearth/core/db/ids.ts';
import { hideFromPlanner } from '@hearth/core/db/preparedStatements.ts';

/** A page of a list: by number, starting at 1, or after a position. */
export interface PageOf<Position> {
  readonly limit: number;
  readonly start: { readonly number: number } | { readonly after: Position };
}

/** One page of a list. `next` is the position to continue after, or undefined on the last page. */
export interface CursorPage<Entry, Position> {
  readonly entries: Entry[];
  readonly next: Position | undefined;
}

/** Position in a list sorted by name key, see [Note: Names in order], then id. */
export interface NamePosition {
  readonly name: string;
  readonly id: string;
}

/** Position before all names. */
export const firstNamePosition: NamePosition = { name: '', id: firstId };

/** Position in a list sorted by time, then id. Time in UTC with microseconds, as returned by `exactTime`. */
export interface TimePosition {
  readonly time: string;
  readonly id: string;
}

/**
 * Builds the end of a query for a page: position, sort order (`column`, then id) and limit. Reads one row more than the
 * page size, for `cutPage`.
 */
export const buildPageClauses = (
  page: PageOf<NamePosition | TimePosition>,
  column: RawBuilder<unknown> = sql.ref('sort_name'),
  direction: 'asc' | 'desc' = 'asc',
): RawBuilder<unknown> => sql`
  and ${isAfterStart(page.start, column, direction)}
  order by ${column} ${sql.raw(direction)}, id ${sql.raw(direction)} offset ${getOffset(page)} limit ${sql.lit(page.limit + 1)}`;

/** Builds the condition that a row comes after the start of the page. */
export const isAfterStart = (
  start: PageOf<NamePosition | TimePosition>['start'],
  column: RawBuilder<unknown> = sql.ref('sort_name'),
  direction: 'asc' | 'desc' = 'asc',
): RawBuilder<boolean> => {
  if (!('after' in start)) return sql`true`;
  const { after } = start;
  const value =
    'time' in after
      ? sql`${hideFromPlanner(after.time, 'timestamp')} at time zone 'UTC'`
      : hideFromPlanner(after.name, 'text');
  return sql`(${column}, id) ${direction === 'asc' ? sql`>` : sql`<`} (${value}, ${hideFromPlanner(after.id, 'uuid')})`;
};

/** Number of rows to skip. */
export const getOffset = <Position>({ limit, start }: PageOf<Position>): number =>
  'number' in start ? (start.number - 1) * limit : 0;

/** Removes the extra row, whose presence shows that another page follows. */
export const cutPage = <Entry, Position>(
  found: readonly Entry[],
  limit: number,
  toPosition: (entry: Entry) => Position,
): CursorPage<Entry, Position> => {
  const entries = found.slice(0, limit);
  return { entries, next: found.length > limit ? toPosition(entries.at(-1)!) : undefined };
};

/** Formats a `timestamptz` with microseconds. `Date` has only milliseconds, and a position must be exact. */
export const exactTime = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
