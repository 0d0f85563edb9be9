-- Items: the photos and videos of libraries, and what is made of them.

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
comment on table media_items is 'Truth: one photo or video of a library, with what components have read from its original.';
comment on column media_items.id is 'Names the item, also in the keys of its objects; ids grow with time.';
comment on column media_items.user_id is 'Whose library it is in.';
comment on column media_items.checksum is 'SHA-256 of the original.';
comment on column media_items.filename is 'The name of the original as it was uploaded.';
comment on column media_items.description is 'What its owner has written about it.';
comment on column media_items.mime_type is 'The format of the original, told by its first bytes.';
comment on column media_items.size_bytes is 'The size of the original.';
comment on column media_items.type is 'Whether it is a photo or a video.';
comment on column media_items.category is 'What kind of picture it is, such as a screenshot; LIVE only while the other half is there.';
comment on column media_items.unpaired_category is 'The category while it is no half of a Live Photo.';
comment on column media_items.status is 'How far its components have come, all together.';
comment on column media_items.is_favourite is 'Whether its owner has marked it.';
comment on column media_items.is_hidden is 'Whether its owner has taken it out of the lists.';
comment on column media_items.deleted_at is 'Since when it is in the trash.';
comment on column media_items.removing_at is 'Since when it is being removed for good: its objects first, then this row.';
comment on column media_items.taken_at is 'When it was taken.';
comment on column media_items.local_time is 'What a clock on the wall said where it was taken: the one sort order of the library.';
comment on column media_items.utc_offset_minutes is 'The minutes east of UTC of that clock, where they are known.';
comment on column media_items.client_taken_at is 'When it was taken by the uploader''s word, for files that say nothing themselves.';
comment on column media_items.client_utc_offset_minutes is 'The minutes east of UTC of that time, where the uploader said them.';
comment on column media_items.width_px is 'The width of the picture when it is upright.';
comment on column media_items.height_px is 'The height of the picture when it is upright.';
comment on column media_items.latitude is 'Where it was taken, in degrees north.';
comment on column media_items.longitude is 'Where it was taken, in degrees east.';
comment on column media_items.camera_make is 'Who made the camera.';
comment on column media_items.camera_model is 'Which camera it was.';
comment on column media_items.focal_length_mm is 'The focal length of the lens.';
comment on column media_items.aperture_f_number is 'The aperture as the focal length divided by the opening.';
comment on column media_items.iso_equivalent is 'The sensitivity of the sensor.';
comment on column media_items.exposure_time_s is 'How long the picture was exposed.';
comment on column media_items.fps is 'The frames per second that the file names.';
comment on column media_items.duration_s is 'The length of the video that the file names.';
comment on column media_items.placeholder is 'A ThumbHash in base64, shown until the thumbnail is there.';
comment on column media_items.preview_key is 'The object of the preview, once there is one.';
comment on column media_items.preview_bytes is
  'The size of the preview; null where the original is the preview, and until the scrub has filled it in for older renditions.';
comment on column media_items.thumbnail_key is 'The object of the thumbnail, once there is one.';
comment on column media_items.thumbnail_bytes is 'The size of the thumbnail, like preview_bytes.';
comment on column media_items.poster_key is 'The object of a video''s still, once there is one.';
comment on column media_items.poster_bytes is 'The size of the poster, like preview_bytes.';
comment on column media_items.probed_fps is 'The frames per second by the decoder, where the file''s own words say nothing.';
comment on column media_items.probed_duration_s is 'The length of the video by the decoder, where the file''s own words say nothing.';
comment on column media_items.content_identifier is 'By what Apple''s devices mark the photo and the video of one Live Photo.';
comment on column media_items.motion_item_id is 'The item that is the video half of this Live Photo.';
comment on column media_items.motion_key is 'The object of the clip of a Live Photo or motion photo as browsers play it, once there is one.';
comment on column media_items.motion_bytes is 'The size of the clip, like preview_bytes; not used while another item''s video is the clip.';
comment on column media_items.is_motion_half is 'Whether it is shown in a photo, and not by itself.';
comment on column media_items.shared_video_key is
  'The object of the copy without metadata for visitors, of a video that is its own preview and of a clip in a photo.';
comment on column media_items.shared_video_bytes is
  'The size of the copy for visitors, like preview_bytes; not used while another item''s copy is it.';
comment on column media_items.created_at is 'When it was uploaded.';
comment on column media_items.updated_at is 'When the row was last changed.';
comment on column media_items.visibility is 'In which list the item is shown; every list and every count goes by this one definition.';

-- The same bytes are one item of a library, in the trash too.
create unique index media_items_checksum on media_items (user_id, checksum) where removing_at is null;
-- With the kinds by which what is visible is filtered most, so that what is skipped of such a list is read from the
-- index alone. Each of them is a condition of another index already: one that changes writes no more entries.
create index media_items_visible on media_items (user_id, local_time desc, id desc) include (type, category, status) where visibility = 'visible';
create index media_items_hidden on media_items (user_id, local_time desc, id desc) where visibility = 'hidden';
-- Read for the hidden items that a grid's links must not open, see [Note: Link states].
create index media_items_hidden_ids on media_items (user_id, id, motion_item_id) where is_hidden;
create index media_items_trash on media_items (user_id, local_time desc, id desc) where visibility = 'trash';
create index media_items_favourites on media_items (user_id, local_time desc, id desc) where visibility = 'visible' and is_favourite;
-- What is asked for by status, type or category is mostly the rare case, which is not looked for among all the others.
create index media_items_unready on media_items (user_id, status, local_time desc, id desc)
  where visibility = 'visible' and status <> 'READY';
create index media_items_not_photos on media_items (user_id, type, local_time desc, id desc)
  where visibility = 'visible' and type <> 'PHOTO';
create index media_items_special on media_items (user_id, category, local_time desc, id desc)
  where visibility = 'visible' and category <> 'DEFAULT';
create index media_items_live on media_items (user_id, content_identifier) where content_identifier is not null;
-- The order of a job. Ids grow with time, so that this index is written at its end alone.
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
comment on table component_runs is 'Truth: what a component has made of an item, or has still to make; the queues are filled from here.';
comment on column component_runs.media_item_id is 'The item that the run is of.';
comment on column component_runs.user_id is 'The item''s own, which never changes: whose library waits for it.';
comment on column component_runs.component is 'The component that runs.';
comment on column component_runs.type is 'The item''s own, which never changes: with the component it says in which pool the run is done.';
comment on column component_runs.version is 'The version of the component that made the result, or is to make it.';
comment on column component_runs.state is 'How far the run has come.';
comment on column component_runs.attempts is 'How often it has been begun.';
comment on column component_runs.claim_id is 'Who runs it: the guard of every write of its outcome.';
comment on column component_runs.lease_until is 'Until when a RUNNING run counts as alive.';
comment on column component_runs.next_attempt_at is 'When a PENDING run is due.';
comment on column component_runs.blocked_on is 'The capability that this installation lacked, such as ''decode image/jpeg''.';
comment on column component_runs.reason is 'Why it failed or is blocked.';
comment on column component_runs.warnings is 'What its owner should know of a result that is not all it could be.';
comment on column component_runs.finished_at is 'When it had its outcome.';
comment on column component_runs.progress is
  'How far a run that takes long has come, in percent; not of an item, since its owner is not told of every step.';
comment on column component_runs.job_id is 'The job that has made the run due, until there is an outcome.';
comment on column component_runs.earlier is
  'What the run was before the job: state, version, attempts and reason, which come back when the job is paused or stopped before the run has '
  'begun; null where there was no run.';

-- The sweeper's questions: what is due in a pool, however much is due in others; whose lease ran out; what could go on.
create index component_runs_pending on component_runs (component, type, next_attempt_at) where state = 'PENDING';
create index component_runs_running on component_runs (lease_until) where state = 'RUNNING';
create index component_runs_blocked on component_runs (component, blocked_on) where state = 'BLOCKED';
-- What a user is told of the own library: what is under way, and what went wrong. Runs that are over as they should be
-- are not in it.
create index component_runs_unsettled on component_runs (user_id, state, component, reason, media_item_id)
  where state in ('PENDING', 'RUNNING', 'FAILED', 'BLOCKED');
-- Runs that start when their feature is switched on again.
create index component_runs_switched_off on component_runs (component, user_id, media_item_id)
  where state = 'SKIPPED' and reason = 'FEATURE_OFF';
create index component_runs_of_job on component_runs (job_id, media_item_id) where job_id is not null;

create table component_checks (
  component  text primary key,
  version    integer not null,
  checked_to uuid
);
comment on table component_checks is 'Machine: how far the search for results of earlier versions of a component has come.';
comment on column component_checks.component is 'The component whose results are looked through; one that was never looked at has no row.';
comment on column component_checks.version is 'The version that is wanted; results of earlier ones are made again.';
comment on column component_checks.checked_to is 'The last item that was looked at, in the order of ids; null when all have been.';

create table original_checks (
  media_item_id      uuid primary key references media_items on delete cascade,
  user_id            uuid not null,
  state              text not null check (state in ('OK', 'DAMAGED', 'MISSING')),
  checked_at         timestamptz not null default now(),
  object_modified_at timestamptz
);
comment on table original_checks is
  'Machine: the last check of a stored original against its item; an item without a row has not been checked yet and counts as OK.';
comment on column original_checks.media_item_id is 'The item whose original was checked.';
comment on column original_checks.user_id is 'The owner of the item.';
comment on column original_checks.state is
  'OK: size and SHA-256 match. DAMAGED: the stored bytes differ. MISSING: the store has no such object.';
comment on column original_checks.checked_at is 'When the original was last read whole, or found to be missing or of the wrong size.';
comment on column original_checks.object_modified_at is
  'The last write of the stored object at that check, by the clock of the store; null if MISSING. An object with another time has not been checked.';

-- Few originals are damaged or missing: the sums on the admin page and the check route read only these rows.
create index original_checks_faults on original_checks (user_id, state, media_item_id) where state <> 'OK';
-- The scrub reads the originals whose last check is oldest first.
create index original_checks_due on original_checks (checked_at);
