import type { Insertable, Selectable, Updateable } from 'kysely';
import type { DB } from './tables.ts';

export type { Features, LocalTime, Visibility } from './columnTypes.ts';

/** The tables that the migrations create. `npm run docs:schema` generates their types. */
export type Tables = DB;

export type AuditRow = Selectable<DB['audit_log']>;
export type UserRow = Selectable<DB['users']>;
export type MediaItemRow = Selectable<DB['media_items']>;
export type NewMediaItem = Insertable<DB['media_items']>;
export type MediaItemChanges = Updateable<DB['media_items']>;
export type UploadRow = Selectable<DB['uploads']>;
export type ComponentRunRow = Selectable<DB['component_runs']>;
export type JobRow = Selectable<DB['jobs']>;
export type PlaceRow = Selectable<DB['places']>;
export type AlbumRow = Selectable<DB['albums']>;
export type ThingRow = Selectable<DB['things']>;
export type PersonRow = Selectable<DB['people']>;
export type FaceRow = Selectable<DB['faces']>;
export type MergedPersonRow = Selectable<DB['merged_people']>;
