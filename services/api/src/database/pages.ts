import { sql, type RawBuilder } from 'kysely';
import { firstId } from '@hearth/core/db/ids.ts';
import { hiddenFromPlanner } from '@hearth/core/db/preparedStatements.ts';

/** Which page of a list: by number from 1, or what follows a position. */
export interface PageOf<Position> {
  readonly limit: number;
  readonly start: { readonly number: number } | { readonly after: Position };
}

/** One page of a list, and the position that the next one follows, where something does. */
export interface CursorPage<Entry, Position> {
  readonly entries: Entry[];
  readonly next: Position | undefined;
}

/** The place in a list by name behind one entry: names are sorted by their keys, see [Note: Names in order], then by id. */
export interface NamePosition {
  readonly name: string;
  readonly id: string;
}

/** In front of all names. */
export const beforeNames: NamePosition = { name: '', id: firstId };

/** The place in a list by time behind one entry; the time in UTC to the microsecond, as `exactTime` reads it. */
export interface TimePosition {
  readonly time: string;
  readonly id: string;
}

/**
 * The end of a statement that reads a page of a list, behind the condition for the whole list: sorted by a column, then by id. Reads one entry more than
 * the page has, for `cutPage`.
 */
export const endOfPage = (
  page: PageOf<NamePosition | TimePosition>,
  column: RawBuilder<unknown> = sql.ref('sort_name'),
  direction: 'asc' | 'desc' = 'asc',
): RawBuilder<unknown> => sql`
  and ${isBehindStart(page.start, column, direction)}
  order by ${column} ${sql.raw(direction)}, id ${sql.raw(direction)} offset ${offsetOf(page)} limit ${sql.lit(page.limit + 1)}`;

/** Whether an entry of such a list follows the position at which the page begins, if it does at one; in SQL. */
export const isBehindStart = (
  start: PageOf<NamePosition | TimePosition>['start'],
  column: RawBuilder<unknown> = sql.ref('sort_name'),
  direction: 'asc' | 'desc' = 'asc',
): RawBuilder<boolean> => {
  if (!('after' in start)) return sql`true`;
  const { after } = start;
  const value =
    'time' in after
      ? sql`${hiddenFromPlanner(after.time, 'timestamp')} at time zone 'UTC'`
      : hiddenFromPlanner(after.name, 'text');
  return sql`(${column}, id) ${direction === 'asc' ? sql`>` : sql`<`} (${value}, ${hiddenFromPlanner(after.id, 'uuid')})`;
};

/** How many entries are passed over on the way to a page. */
export const offsetOf = <Position>({ limit, start }: PageOf<Position>): number =>
  'number' in start ? (start.number - 1) * limit : 0;

/** The page out of what was found for it with one entry more, which tells whether another page follows. */
export const cutPage = <Entry, Position>(
  found: readonly Entry[],
  limit: number,
  positionOf: (entry: Entry) => Position,
): CursorPage<Entry, Position> => {
  const entries = found.slice(0, limit);
  return { entries, next: found.length > limit ? positionOf(entries.at(-1)!) : undefined };
};

/** A `timestamptz` as text that loses nothing: a `Date` has no microseconds, and a position must lie exactly behind its entry. */
export const exactTime = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
