import type { Insertable, Selectable, Updateable } from 'kysely';
import type {
  Albums,
  AuditLog,
  ComponentRuns,
  DB,
  Faces,
  Jobs,
  MediaItems,
  People,
  Places,
  Things,
  Uploads,
  Users,
} from './tables.ts';

export type { Features, LocalTime, Visibility } from './columnTypes.ts';

/** The tables, as the migrations make them; `npm run docs:schema` writes their types. */
export type Tables = DB;

export type AuditRow = Selectable<AuditLog>;
export type UserRow = Selectable<Users>;
export type MediaItemRow = Selectable<MediaItems>;
export type NewMediaItem = Insertable<MediaItems>;
export type MediaItemChanges = Updateable<MediaItems>;
export type UploadRow = Selectable<Uploads>;
export type ComponentRunRow = Selectable<ComponentRuns>;
export type JobRow = Selectable<Jobs>;
export type PlaceRow = Selectable<Places>;
export type AlbumRow = Selectable<Albums>;
export type ThingRow = Selectable<Things>;
export type PersonRow = Selectable<People>;
export type FaceRow = Selectable<Faces>;
