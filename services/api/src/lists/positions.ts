import { z } from 'zod';
import type { NamePosition, TimePosition } from '../database/pages.ts';
import { createCursors } from './listPage.ts';

/** An id as the API formats it. */
export const Id = z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** A wall-clock time that PostgreSQL accepts. Unlike `Date`, it rejects February 31 and the year 0. */
export const WallClock = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?$/)
  .refine((time) => {
    const date = new Date(`${time}Z`);
    return (
      !Number.isNaN(date.getTime()) && date.toISOString().startsWith(time.slice(0, 19)) && !time.startsWith('0000')
    );
  });

/**
 * A sort key of a name. Keys are shorter than 512 characters, and PostgreSQL text has neither NUL nor lone surrogates.
 */
const key = z.string().regex(/^[^\0\p{Cs}]{1,511}$/u);

export const ByName: z.ZodType<NamePosition> = z.strictObject({ name: key, id: Id });
export const ByTime: z.ZodType<TimePosition> = z.strictObject({ time: WallClock, id: Id });

/** Cursors of lists sorted by name or time. Those of media items are in `mediaItemPage.ts`. */
export const cursors = {
  places: createCursors('places', ByName),
  things: createCursors('things', ByName),
  users: createCursors('users', ByName),
  jobs: createCursors('jobs', ByTime),
  albumsOfItem: createCursors('albums of item', ByName),
  placesOfItem: createCursors('places of item', ByName),
  thingsOfItem: createCursors('things of item', ByName),
  peopleOfItem: createCursors('people of item', ByName),
  /** Start of a session, in Unix ms, and its id. */
  sessions: createCursors('sessions', z.strictObject({ openedAt: z.int().min(0).max(99_999_999_999_999), id: Id })),
  /** Id of an entry. */
  audit: createCursors('audit', z.strictObject({ id: z.string().regex(/^\d{1,18}$/) })),
} as const;
