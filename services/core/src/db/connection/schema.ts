import type {
  ColumnType,
  Generated,
  GeneratedAlways,
  Insertable,
  JSONColumnType,
  Selectable,
  Updateable,
} from 'kysely';
import type {
  ComponentName,
  FeatureName,
  MediaItemCategory,
  MediaItemStatus,
  MediaItemType,
  RunState,
} from '@hearth/contract/vocabulary.ts';
import type { JobTable } from '../jobs/jobTable.ts';
import type { MapCellTable, MapDeltaTable } from '../explore/mapTables.ts';
import type { AbandonedItemTable, OrphanTable, RemovedUserTable } from '../items/removalTables.ts';
import type { AuditTable, KnownNetworkTable, LoginAttemptTable, SessionTable } from '../accounts/signInTables.ts';
import type { UserStorageDeltaTable, UserStorageTable } from '../accounts/storageTables.ts';
import type { CountDeltaTable, CountTable } from '../lists/countTables.ts';
import type { FaceTable, PersonTable } from '../explore/peopleTables.ts';

/** A wall-clock time without a zone, `2022-04-03T12:56:11.123`; the driver leaves it as text. */
export type LocalTime = string;

/** In which list an item is shown; `paired` is the video half of a Live Photo, which is shown in its photo. */
export type Visibility = 'visible' | 'hidden' | 'trash' | 'paired' | 'removed';

/** What of a user's library is switched on; a feature that is not named is on. */
export type Features = Partial<Record<FeatureName, boolean>>;

interface UserTable {
  id: string;
  name: string;
  username: string;
  username_key: string | null;
  password_hash: string;
  features: JSONColumnType<Features>;
  removing_at: Date | null;
  quota_bytes: number | null;
  sort_name: GeneratedAlways<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface MediaItemTable {
  id: string;
  user_id: ColumnType<string, string, never>; // never changes, see [Note: Account removal]
  checksum: Buffer;
  filename: string;
  description: string | null;
  mime_type: string;
  size_bytes: number;
  type: MediaItemType;
  category: Generated<MediaItemCategory>;
  status: Generated<MediaItemStatus>;
  is_favourite: Generated<boolean>;
  is_hidden: Generated<boolean>;
  deleted_at: Date | null;
  removing_at: Date | null;
  taken_at: Date;
  local_time: LocalTime;
  utc_offset_minutes: number | null;
  client_taken_at: Date | null;
  client_utc_offset_minutes: number | null;
  width_px: number | null;
  height_px: number | null;
  latitude: number | null;
  longitude: number | null;
  camera_make: string | null;
  camera_model: string | null;
  focal_length_mm: number | null;
  aperture_f_number: number | null;
  iso_equivalent: number | null;
  exposure_time_s: number | null;
  fps: number | null;
  duration_s: number | null;
  placeholder: string | null;
  preview_key: string | null;
  thumbnail_key: string | null;
  poster_key: string | null;
  probed_fps: number | null;
  probed_duration_s: number | null;
  content_identifier: string | null;
  motion_item_id: string | null;
  motion_key: string | null;
  is_motion_half: Generated<boolean>;
  shared_video_key: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  visibility: GeneratedAlways<Visibility>;
}

interface UploadTable {
  id: string;
  user_id: string;
  metadata: string;
  length_bytes: number;
  received_bytes: Generated<number>;
  part_bytes: number;
  write_id: string | null;
  hash_state: Buffer | null;
  tail_key: string | null;
  mime_type: string | null;
  type: MediaItemType | null;
  checksum: Buffer | null;
  media_item_id: string | null;
  claim_id: string | null;
  claimed_until: Date | null;
  is_asked_for: Generated<boolean>;
  created_at: Generated<Date>;
  expires_at: Date;
}

interface UploadPartTable {
  upload_id: string;
  number: number;
  tag: string;
}

interface ComponentRunTable {
  media_item_id: string;
  component: ComponentName;
  version: number;
  state: Generated<RunState>;
  attempts: Generated<number>;
  claim_id: string | null;
  lease_until: Date | null;
  next_attempt_at: Generated<Date>;
  blocked_on: string | null;
  reason: string | null;
  warnings: ColumnType<string[], string[] | undefined, string[]>;
  finished_at: Date | null;
  progress: number | null;
  job_id: string | null;
  earlier: object | null;
}

interface PlaceTable {
  id: string;
  user_id: string;
  country_code: string;
  country: string;
  state: string | null;
  city: string | null;
  town: string | null;
  name: GeneratedAlways<string>;
  sort_name: GeneratedAlways<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface MediaItemPlaceTable {
  media_item_id: string;
  place_id: string;
  postcode: string | null;
}

interface CollectionTable {
  id: string;
  user_id: ColumnType<string, string, never>;
  kind: 'album' | 'place' | 'thing' | 'person';
  cover_id: string | null;
  item_count: Generated<number>;
  is_filled: GeneratedAlways<boolean>;
  sort_name: string | null;
}

interface CollectionItemTable {
  collection_id: string;
  media_item_id: string;
  local_time: LocalTime;
  visibility: Visibility;
  is_ready: Generated<boolean>;
}

interface ThingTable {
  id: string;
  user_id: string;
  name: string;
  sort_name: GeneratedAlways<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface AlbumTable {
  id: string;
  user_id: string;
  name: string;
  description: string | null;
  is_shared: Generated<boolean>;
  is_hidden: Generated<boolean>;
  sort_name: GeneratedAlways<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface CapabilityTable {
  name: string;
  recorded_at: Generated<Date>;
}

interface LeaseTable {
  name: string;
  holder: string;
  fencing: number;
  held_until: Date;
}

interface ComponentCheckTable {
  component: string;
  version: number;
  checked_to: string | null;
}

interface HousekeepingTaskTable {
  name: string;
  finished_at: Date;
}

interface EventTable {
  user_id: string;
  xid: Generated<string>;
  id: GeneratedAlways<number>;
  kind: string;
  subject_id: string;
  change: 'created' | 'updated' | 'removed';
  created_at: Generated<Date>;
}

interface EventHorizonTable {
  user_id: string;
  xid: string;
  id: number;
}

/** The tables, as the numbered migrations leave them. */
export interface Tables {
  users: UserTable;
  sessions: SessionTable;
  login_attempts: LoginAttemptTable;
  known_networks: KnownNetworkTable;
  audit_log: AuditTable;
  media_items: MediaItemTable;
  uploads: UploadTable;
  upload_parts: UploadPartTable;
  component_runs: ComponentRunTable;
  jobs: JobTable;
  places: PlaceTable;
  media_item_places: MediaItemPlaceTable;
  collections: CollectionTable;
  collection_items: CollectionItemTable;
  albums: AlbumTable;
  things: ThingTable;
  people: PersonTable;
  faces: FaceTable;
  map_cells: MapCellTable;
  map_deltas: MapDeltaTable;
  capabilities: CapabilityTable;
  counts: CountTable;
  count_deltas: CountDeltaTable;
  leases: LeaseTable;
  component_checks: ComponentCheckTable;
  housekeeping_tasks: HousekeepingTaskTable;
  events: EventTable;
  event_horizons: EventHorizonTable;
  abandoned_items: AbandonedItemTable;
  orphans: OrphanTable;
  removed_users: RemovedUserTable;
  user_storage: UserStorageTable;
  user_storage_deltas: UserStorageDeltaTable;
}

export type AuditRow = Selectable<AuditTable>;
export type UserRow = Selectable<UserTable>;
export type MediaItemRow = Selectable<MediaItemTable>;
export type NewMediaItem = Insertable<MediaItemTable>;
export type MediaItemChanges = Updateable<MediaItemTable>;
export type UploadRow = Selectable<UploadTable>;
export type ComponentRunRow = Selectable<ComponentRunTable>;
export type PlaceRow = Selectable<PlaceTable>;
export type AlbumRow = Selectable<AlbumTable>;
export type ThingRow = Selectable<ThingTable>;
