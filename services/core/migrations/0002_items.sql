-- Items: the photos and videos of all libraries, and the components that process them.

create table media_items (
  id                        uuid primary key,
  user_id                   uuid not null references users on delete cascade,
  checksum                  bytea not null check (length(checksum) = 32),
  filename                  text not null,
  description               text,
  mime_type                 text not null,
  size_bytes                bigint not null,
  type                      text not null,
  category                  text not null default 'DEFAULT',
  unpaired_category         text not null default 'DEFAULT',
  status                    text not null default 'PROCESSING',
  is_favourite              boolean not null default false,
  is_hidden                 boolean not null default false,
  deleted_at                timestamptz,
  removing_at               timestamptz,
  taken_at                  timestamptz not null,
  local_time                timestamp not null,
  utc_offset_minutes        integer,
  client_taken_at           timestamptz,
  client_utc_offset_minutes integer,
  width_px                  integer,
  height_px                 integer,
  latitude                  double precision,
  longitude                 double precision,
  camera_make               text,
  camera_model              text,
  focal_length_mm           double precision,
  aperture_f_number         double precision,
  iso_equivalent            double precision,
  exposure_time_s           double precision,
  fps                       double precision,
  duration_s                double precision,
  placeholder               text,
  preview_key               text,
  preview_bytes             bigint,
  thumbnail_key             text,
  thumbnail_bytes           integer,
  poster_key                text,
  poster_bytes              integer,
  probed_fps                double precision,
  probed_duration_s         double precision,
  content_identifier        text,
  motion_item_id            uuid,
  motion_key                text,
  motion_bytes              bigint,
  is_motion_half            boolean not null default false,
  shared_video_key          text,
  shared_video_bytes        bigint,
  created_at                timestamptz not null default now(),
  updated_at                timestamptz not null default now(),
  visibility                text not null generated always as (
    case
      when removing_at is not null then 'removed'
      when is_motion_half then 'paired'
      when deleted_at is not null then 'trash'
      when is_hidden then 'hidden'
      else 'visible'
    end
  ) stored
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, fillfactor = 85);
comment on table media_items is 'Truth: a photo or video, with the metadata that components read from its original.';
comment on column media_items.id is 'Id of the item, also used in object keys; ids increase with time.';
comment on column media_items.user_id is 'Owner of the item.';
comment on column media_items.checksum is 'SHA-256 of the original.';
comment on column media_items.filename is 'File name at the upload.';
comment on column media_items.description is 'Description by the owner.';
comment on column media_items.mime_type is 'Format of the original, detected from its first bytes.';
comment on column media_items.size_bytes is 'Size of the original, in bytes.';
comment on column media_items.type is 'Media type: photo or video.';
comment on column media_items.category is 'Category, such as screenshot; LIVE only while both halves of the Live Photo exist.';
comment on column media_items.unpaired_category is 'Category outside of a Live Photo.';
comment on column media_items.status is 'Overall state of the item''s components.';
comment on column media_items.is_favourite is 'True for a favourite of the owner.';
comment on column media_items.is_hidden is 'True if the owner hid the item from the lists.';
comment on column media_items.deleted_at is 'Time of the move to the trash.';
comment on column media_items.removing_at is 'Start of the permanent deletion: objects first, then this row.';
comment on column media_items.taken_at is 'Time of capture, in UTC.';
comment on column media_items.local_time is 'Local time of capture, at the place of capture; all lists of items sort by it.';
comment on column media_items.utc_offset_minutes is 'UTC offset of local_time, in minutes east; null if unknown.';
comment on column media_items.client_taken_at is 'Capture time sent by the uploader, used if the file contains none.';
comment on column media_items.client_utc_offset_minutes is 'UTC offset of client_taken_at, in minutes east; null if not sent.';
comment on column media_items.width_px is 'Width of the upright picture, in pixels.';
comment on column media_items.height_px is 'Height of the upright picture, in pixels.';
comment on column media_items.latitude is 'Latitude of capture, in degrees north.';
comment on column media_items.longitude is 'Longitude of capture, in degrees east.';
comment on column media_items.camera_make is 'Manufacturer of the camera.';
comment on column media_items.camera_model is 'Model of the camera.';
comment on column media_items.focal_length_mm is 'Focal length of the lens, in mm.';
comment on column media_items.aperture_f_number is 'Aperture as f-number: focal length divided by aperture diameter.';
comment on column media_items.iso_equivalent is 'ISO sensitivity of the sensor.';
comment on column media_items.exposure_time_s is 'Exposure time, in seconds.';
comment on column media_items.fps is 'Frame rate from the file''s metadata, in frames per second.';
comment on column media_items.duration_s is 'Video duration from the file''s metadata, in seconds.';
comment on column media_items.placeholder is 'ThumbHash in base64, shown until the thumbnail exists.';
comment on column media_items.preview_key is 'Object key of the preview; null until it exists.';
comment on column media_items.preview_bytes is
  'Size of the preview, in bytes; null if the original serves as preview, and for old previews until the scrub measures them.';
comment on column media_items.thumbnail_key is 'Object key of the thumbnail; null until it exists.';
comment on column media_items.thumbnail_bytes is 'Size of the thumbnail, in bytes; null like preview_bytes.';
comment on column media_items.poster_key is 'Object key of a video''s poster frame; null until it exists.';
comment on column media_items.poster_bytes is 'Size of the poster, in bytes; null like preview_bytes.';
comment on column media_items.probed_fps is 'Frame rate measured by the decoder, for files whose metadata has none.';
comment on column media_items.probed_duration_s is 'Video duration measured by the decoder, in seconds, for files whose metadata has none.';
comment on column media_items.content_identifier is 'Identifier that Apple devices write into both files of a Live Photo.';
comment on column media_items.motion_item_id is 'Item with the video half of this Live Photo.';
comment on column media_items.motion_key is 'Object key of the playable clip of a Live Photo or motion photo; null until it exists.';
comment on column media_items.motion_bytes is 'Size of the clip, in bytes, like preview_bytes; unused if another item''s video is the clip.';
comment on column media_items.is_motion_half is 'True if the item is shown only as part of a photo.';
comment on column media_items.shared_video_key is
  'Object key of the copy without metadata for visitors of a shared album: of clips, and of videos that serve as their own preview.';
comment on column media_items.shared_video_bytes is
  'Size of the copy for visitors, in bytes, like preview_bytes; unused if the copy belongs to another item.';
comment on column media_items.created_at is 'Time of the upload.';
comment on column media_items.updated_at is 'Time of the last change.';
comment on column media_items.visibility is 'List that shows the item; all lists and counts use this one definition.';

-- Rejects a second item with the same content in one library, including the trash.
create unique index media_items_checksum on media_items (user_id, checksum) where removing_at is null;
-- Includes the most common filters, so that skipping pages of a filtered list is an index-only scan. Each of these
-- columns is a condition of another index already, so its changes write no additional entries.
create index media_items_visible on media_items (user_id, local_time desc, id desc) include (type, category, status) where visibility = 'visible';
create index media_items_hidden on media_items (user_id, local_time desc, id desc) where visibility = 'hidden';
-- Finds the hidden items that the links of a grid must not open, see [Note: Link states].
create index media_items_hidden_ids on media_items (user_id, id, motion_item_id) where is_hidden;
create index media_items_trash on media_items (user_id, local_time desc, id desc) where visibility = 'trash';
create index media_items_favourites on media_items (user_id, local_time desc, id desc) where visibility = 'visible' and is_favourite;
-- Filters mostly select rare items. Partial indexes find them without a scan of all the others.
create index media_items_unready on media_items (user_id, status, local_time desc, id desc)
  where visibility = 'visible' and status <> 'READY';
create index media_items_not_photos on media_items (user_id, type, local_time desc, id desc)
  where visibility = 'visible' and type <> 'PHOTO';
create index media_items_special on media_items (user_id, category, local_time desc, id desc)
  where visibility = 'visible' and category <> 'DEFAULT';
create index media_items_live on media_items (user_id, content_identifier) where content_identifier is not null;
-- Order in which jobs visit items. Ids increase with time, so new entries go to the end of the index.
create index media_items_by_id on media_items (user_id, id);
create index media_items_removing on media_items (removing_at) where removing_at is not null;
create index media_items_deleted on media_items (deleted_at) where deleted_at is not null;

create table component_runs (
  media_item_id   uuid not null references media_items on delete cascade,
  user_id         uuid not null,
  component       text not null,
  type            text not null,
  version         integer not null,
  state           text not null default 'PENDING',
  attempts        integer not null default 0,
  claim_id        uuid,
  lease_until     timestamptz,
  next_attempt_at timestamptz not null default now(),
  blocked_on      text,
  reason          text,
  warnings        text[] not null default '{}',
  finished_at     timestamptz,
  progress        smallint,
  job_id          uuid,
  earlier         jsonb,
  primary key (media_item_id, component)
) with (autovacuum_vacuum_scale_factor = 0.02, fillfactor = 80);
comment on table component_runs is 'Truth: the last result of a component for an item, or a run that is due. The queues are filled from this table.';
comment on column component_runs.media_item_id is 'Item that the component processes.';
comment on column component_runs.user_id is 'Owner of the item, never changes.';
comment on column component_runs.component is 'Name of the component.';
comment on column component_runs.type is 'Type of the item, never changes; with the component it selects the worker pool.';
comment on column component_runs.version is 'Version of the component that produced the result or will produce it.';
comment on column component_runs.state is 'State of the run.';
comment on column component_runs.attempts is 'Number of attempts started.';
comment on column component_runs.claim_id is 'Id of the current claim; every write of a result checks it.';
comment on column component_runs.lease_until is 'End of the lease on a RUNNING run.';
comment on column component_runs.next_attempt_at is 'Due time of a PENDING run.';
comment on column component_runs.blocked_on is 'Capability missing on this installation, such as ''decode image/jpeg''.';
comment on column component_runs.reason is 'Reason of a failure or block.';
comment on column component_runs.warnings is 'Warnings to the owner about an incomplete result.';
comment on column component_runs.finished_at is 'Time of the result.';
comment on column component_runs.progress is
  'Progress of a long run, in percent. Not a column of media_items, because each change there notifies the owner''s clients.';
comment on column component_runs.job_id is 'Job that made the run due; null after the run.';
comment on column component_runs.earlier is
  'State, version, attempts and reason before the job. They are restored if the job is paused or stopped before the run starts. Null if '
  'there was no run.';

-- Queries of the sweeper: due runs of one pool, even if others have many; expired leases; runs that can be unblocked.
create index component_runs_pending on component_runs (component, type, next_attempt_at) where state = 'PENDING';
create index component_runs_running on component_runs (lease_until) where state = 'RUNNING';
create index component_runs_blocked on component_runs (component, blocked_on) where state = 'BLOCKED';
-- Pending work and failures shown to a user. Successful runs are not in this index.
create index component_runs_unsettled on component_runs (user_id, state, component, reason, media_item_id)
  where state in ('PENDING', 'RUNNING', 'FAILED', 'BLOCKED');
-- Runs to restart when their feature is switched on again.
create index component_runs_switched_off on component_runs (component, user_id, media_item_id)
  where state = 'SKIPPED' and reason = 'FEATURE_OFF';
create index component_runs_of_job on component_runs (job_id, media_item_id) where job_id is not null;

create table component_checks (
  component  text primary key,
  version    integer not null,
  checked_to uuid
);
comment on table component_checks is 'Machine: progress of the search for results of earlier component versions.';
comment on column component_checks.component is 'Component whose results are checked; a component never checked has no row.';
comment on column component_checks.version is 'Wanted version; results of earlier versions are processed again.';
comment on column component_checks.checked_to is 'Last item checked, in the order of ids; null when all items are checked.';

create table original_checks (
  media_item_id      uuid primary key references media_items on delete cascade,
  user_id            uuid not null,
  state              text not null check (state in ('OK', 'DAMAGED', 'MISSING')),
  checked_at         timestamptz not null default now(),
  object_modified_at timestamptz
);
comment on table original_checks is 'Machine: the last integrity check of a stored original. An item without a row is unchecked and counts as OK.';
comment on column original_checks.media_item_id is 'Item whose original was checked.';
comment on column original_checks.user_id is 'Owner of the item.';
comment on column original_checks.state is 'OK: size and SHA-256 match. DAMAGED: the stored bytes differ. MISSING: the object does not exist.';
comment on column original_checks.checked_at is 'Time of the last full read, or of a check that found the original missing or of the wrong size.';
comment on column original_checks.object_modified_at is
  'Modification time of the object at that check, by the store''s clock; null if MISSING. An object with another time is unchecked.';

-- Few originals are damaged or missing. The admin page and the check route read only these rows.
create index original_checks_faults on original_checks (user_id, state, media_item_id) where state <> 'OK';
-- The scrub checks originals in the order of their last check, oldest first.
create index original_checks_due on original_checks (checked_at);
