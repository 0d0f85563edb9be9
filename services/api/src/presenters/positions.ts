import { createHash } from 'node:crypto';
import { z } from 'zod';
import { maxSearchLength, maxSearchResults } from '@hearth/contract/limits.ts';
import type { AlbumPosition, AlbumOrder } from '../features/albums/queries.ts';
import type { Near } from '../meaning/candidates.ts';
import type { PersonPosition } from '../features/people/queries.ts';
import type { NamePosition, TimePosition } from '../lists/pages.ts';
import type { SearchPosition } from '../features/search/queries.ts';
import type { GroupPosition, MemberPosition } from '../features/duplicates/queries.ts';
import { aheadLength, markLength } from '../features/search/searchFusion.ts';
import { readingKinds } from '../features/search/searchReadings.ts';
import { cursorsOf, type Cursors } from './listPage.ts';

const id = z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** A wall-clock time that PostgreSQL takes. `Date` takes the 31st of February for a day in March; PostgreSQL refuses it, and year 0. */
export const WallClock = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?$/)
  .refine((time) => {
    const date = new Date(`${time}Z`);
    return (
      !Number.isNaN(date.getTime()) && date.toISOString().startsWith(time.slice(0, 19)) && !time.startsWith('0000')
    );
  });

/** A key of a name: more characters no key has; NUL and halves of surrogate pairs are not to be had from the database. */
const key = z.string().regex(/^[^\0\p{Cs}]{1,511}$/u);

const ByName: z.ZodType<NamePosition> = z.strictObject({ name: key, id });
const ByTime: z.ZodType<TimePosition> = z.strictObject({ time: WallClock, id });

/** The cursors of lists by name or by time; `mediaItemPage.ts` has those of media items. */
export const cursors = {
  places: cursorsOf('places', ByName),
  things: cursorsOf('things', ByName),
  users: cursorsOf('users', ByName),
  jobs: cursorsOf('jobs', ByTime),
  people: cursorsOf<PersonPosition>(
    'people',
    z.union([ByName, z.strictObject({ itemCount: z.int().min(0), time: WallClock, id })]),
  ),
  albumsOfItem: cursorsOf('albums of item', ByName),
  placesOfItem: cursorsOf('places of item', ByName),
  thingsOfItem: cursorsOf('things of item', ByName),
  peopleOfItem: cursorsOf('people of item', ByName),
  duplicates: cursorsOf<GroupPosition>('duplicates', z.strictObject({ id })),
  reviewedDuplicates: cursorsOf<GroupPosition>('reviewed duplicates', z.strictObject({ id })),
  itemsOfDuplicates: cursorsOf<MemberPosition>('items of duplicates', z.strictObject({ score: z.int().min(0), id })),
  similar: cursorsOf<Near>('similar', z.strictObject({ likeness: z.number().min(-2).max(2), id })),
  /** When a session was opened, in milliseconds since 1970, and its id. */
  sessions: cursorsOf('sessions', z.strictObject({ openedAt: z.int().min(0).max(99_999_999_999_999), id })),
  /** The id of an entry. */
  audit: cursorsOf('audit', z.strictObject({ id: z.string().regex(/^\d{1,18}$/) })),
} as const;

/** The cursors of a user's albums in one order; other orders refuse them. */
export const albumCursors = (order: AlbumOrder, isDescending: boolean): Cursors<AlbumPosition> =>
  cursorsOf<AlbumPosition>(`albums ${isDescending ? '-' : ''}${order}`, order === 'sort_name' ? ByName : ByTime);

const ofItem = { localTime: WallClock, id };

const RankedItem = z.strictObject({ ...ofItem, score: z.int().min(0) });

const SearchPlace: z.ZodType<SearchPosition> = z.strictObject({
  began: WallClock,
  served: z.int().min(0).max(maxSearchResults),
  mistyped: z.array(z.int().min(0).max(maxSearchLength)).max(maxSearchLength),
  ahead: z
    .string()
    .regex(new RegExp(`^(?:[0-9a-f]{${markLength}})*$`))
    .max(aheadLength),
  readings: z
    .array(
      z.strictObject({
        kind: z.enum(readingKinds),
        at: RankedItem.optional(),
        rankedTo: z.strictObject(ofItem).optional(),
        until: RankedItem.optional(),
      }),
    )
    .max(readingKinds.length),
});

/** The cursors of the items that one search finds, by whatever tells it from others; other searches refuse them. */
export const searchCursors = (search: object): Cursors<SearchPosition> =>
  cursorsOf(
    `search ${createHash('sha256').update(JSON.stringify(search)).digest('base64url').slice(0, 11)}`,
    SearchPlace,
  );
