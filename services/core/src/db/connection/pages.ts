import { sql, type RawBuilder } from 'kysely';
import { firstId } from './ids.ts';
import { hiddenFromPlanner } from './preparedReads.ts';

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

/** Of a list by name what follows a position, if it begins at one: a condition on `sort_name` and `id`, behind others. */
export const behindName = (start: PageOf<NamePosition>['start'], column = sql.ref('sort_name')): RawBuilder<unknown> =>
  'after' in start
    ? sql`and (${column}, id) > (${hiddenFromPlanner(start.after.name, 'text')}, ${hiddenFromPlanner(start.after.id, 'uuid')})`
    : sql``;

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
