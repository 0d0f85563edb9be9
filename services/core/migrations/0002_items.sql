-- Items: the photos and videos of libraries, what is made of them, how they come in and how they go.

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
  thumbnail_key             text,
  poster_key                text,
  probed_fps                double precision,
  probed_duration_s         double precision,
  content_identifier        text,
  motion_item_id            uuid,
  motion_key                text,
  is_motion_half            boolean not null default false,
  shared_video_key          text,
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
comment on column media_items.category is 'What kind of picture it is, such as a screenshot.';
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
comment on column media_items.thumbnail_key is 'The object of the thumbnail, once there is one.';
comment on column media_items.poster_key is 'The object of a video''s still, once there is one.';
comment on column media_items.probed_fps is 'The frames per second by the decoder, where the file''s own words say nothing.';
comment on column media_items.probed_duration_s is 'The length of the video by the decoder, where the file''s own words say nothing.';
comment on column media_items.content_identifier is 'By what Apple''s devices mark the photo and the video of one Live Photo.';
comment on column media_items.motion_item_id is 'The item that is the video half of this Live Photo.';
comment on column media_items.motion_key is 'The object of the clip of a Live Photo or motion photo as browsers play it, once there is one.';
comment on column media_items.is_motion_half is 'Whether it is shown in a photo, and not by itself.';
comment on column media_items.shared_video_key is
  'The object of the copy without metadata for visitors, of a video that is its own preview and of a clip in a photo.';
comment on column media_items.created_at is 'When it was uploaded.';
comment on column media_items.updated_at is 'When the row was last changed.';
comment on column media_items.visibility is 'In which list the item is shown; every list and every count goes by this one definition.';

-- The same bytes are one item of a library, in the trash too.
create unique index media_items_checksum on media_items (user_id, checksum) where removing_at is null;
-- With the kinds by which what is visible is filtered most, so that what is skipped of such a list is read from the index alone. Each of them is
-- a condition of another index already: one that changes writes no more entries.
create index media_items_visible on media_items (user_id, local_time desc, id desc) include (type, category, status) where visibility = 'visible';
create index media_items_hidden on media_items (user_id, local_time desc, id desc) where visibility = 'hidden';
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
comment on column component_runs.media_item_id is 'Of which item.';
comment on column component_runs.user_id is 'The item''s own, which never changes: whose library waits for it.';
comment on column component_runs.component is 'Which component.';
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
-- What a user is told of the own library: what is under way, and what went wrong. Runs that are over as they should be are not in it.
create index component_runs_unsettled on component_runs (user_id, state, component, reason, media_item_id)
  where state in ('PENDING', 'RUNNING', 'FAILED', 'BLOCKED');
create index component_runs_of_job on component_runs (job_id, media_item_id) where job_id is not null;

create table component_checks (
  component  text primary key,
  version    integer not null,
  checked_to uuid
);
comment on table component_checks is 'Machine: how far the search for results of earlier versions of a component has come.';
comment on column component_checks.component is 'Which component; one that was never looked at has no row.';
comment on column component_checks.version is 'The version that is wanted; results of earlier ones are made again.';
comment on column component_checks.checked_to is 'The last item that was looked at, in the order of ids; null when all have been.';

create table uploads (
  id             uuid primary key,
  user_id        uuid not null references users on delete cascade,
  metadata       text not null,
  length_bytes   bigint not null,
  received_bytes bigint not null default 0,
  part_bytes     bigint not null,
  write_id       text,
  hash_state     bytea,
  tail_key       text,
  mime_type      text,
  type           text,
  checksum       bytea check (length(checksum) = 32),
  media_item_id  uuid,
  claim_id       uuid,
  claimed_until  timestamptz,
  is_asked_for   boolean not null default false,
  created_at     timestamptz not null default now(),
  expires_at     timestamptz not null
);
comment on table uploads is
  'Machine: a resumable upload (tus), a file that comes in over several requests, days, processes and replicas. What is received lies in two '
  'places: whole parts in the unfinished object of the original, and what came behind them in an object of its own, the tail. The row stays '
  'until it expires, to tell a client whose answer was lost what became of the file.';
comment on column uploads.id is 'Where the file is stored in parts; also the id of the media item that it becomes.';
comment on column uploads.user_id is 'Who uploads it.';
comment on column uploads.metadata is 'Upload-Metadata, as the client sent it.';
comment on column uploads.length_bytes is 'The size of the whole file.';
comment on column uploads.received_bytes is 'How much of it is received and kept.';
comment on column uploads.part_bytes is 'The size of every part but the last one.';
comment on column uploads.write_id is 'Names the unfinished object, once there is one.';
comment on column uploads.hash_state is 'The state of SHA-256 after all parts so far, with which any process can go on.';
comment on column uploads.tail_key is 'The object of the tail, where there is one.';
comment on column uploads.mime_type is 'The format that the first bytes have told.';
comment on column uploads.type is 'Whether that is a photo or a video.';
comment on column uploads.checksum is 'SHA-256 of the whole file, once all parts are stored.';
comment on column uploads.media_item_id is 'What it has become; without a foreign key, since the item may be removed.';
comment on column uploads.claim_id is 'The request that is at work on it, which ends when its claim has passed to another one.';
comment on column uploads.claimed_until is 'Until when that claim holds unless it is renewed.';
comment on column uploads.is_asked_for is 'Whether another request wants to work on it, and takes it once it is given back or the claim is over.';
comment on column uploads.created_at is 'When the upload was begun.';
comment on column uploads.expires_at is 'When the row is removed.';

create index uploads_unfinished on uploads (user_id) where media_item_id is null;
create index uploads_received on uploads (created_at) where media_item_id is null and received_bytes = length_bytes;
create index uploads_expires_at on uploads (expires_at);
-- Without it PostgreSQL reads every upload of everybody for each user that is deleted: the other index has unfinished ones only.
create index uploads_user_id on uploads (user_id);

create table upload_parts (
  upload_id uuid not null references uploads on delete cascade,
  number    integer not null,
  tag       text not null,
  primary key (upload_id, number)
);
comment on table upload_parts is 'Machine: a part of an upload that is stored and counts as received; gone once the upload is finished.';
comment on column upload_parts.upload_id is 'Of which upload.';
comment on column upload_parts.number is 'Which part, from 1.';
comment on column upload_parts.tag is 'What the store has answered, which finishes the object.';

create table abandoned_items (
  media_item_id uuid primary key,
  abandoned_at  timestamptz not null default now()
);
comment on table abandoned_items is
  'Machine: an item that there will never be, or never again, see [Note: Abandoned items]. Noted before its objects go, so that an upload '
  'that was held up between its object and its row writes no row without bytes; forgotten when nobody can still be at that.';
comment on column abandoned_items.media_item_id is 'The id that the item has or would have had.';
comment on column abandoned_items.abandoned_at is 'When it was noted.';

create table orphans (
  user_id       uuid not null,
  media_item_id uuid not null,
  size_bytes    bigint not null,
  first_seen_at timestamptz not null default now(),
  last_seen_at  timestamptz not null default now(),
  primary key (user_id, media_item_id)
);
comment on table orphans is
  'Machine: an original that no item names, as the orphan sweep has seen it, such as one that was uploaded after the backup that the database '
  'has been restored from. Without foreign keys, since its user may be as unknown here as its item.';
comment on column orphans.user_id is 'Whose it was, by its key.';
comment on column orphans.media_item_id is 'Which item it was, by its key.';
comment on column orphans.size_bytes is 'The size of the original.';
comment on column orphans.first_seen_at is 'Since when it has been an orphan, without a break.';
comment on column orphans.last_seen_at is 'When the sweep last saw it.';

create table removed_users (
  user_id    uuid primary key,
  removed_at timestamptz not null default now()
);
comment on table removed_users is 'Truth: an account that was removed on purpose; what is still found of it later need not be kept for anybody.';
comment on column removed_users.user_id is 'The id that the account had.';
comment on column removed_users.removed_at is 'When it was removed.';

create table user_storage (
  user_id    uuid primary key references users on delete cascade,
  used_bytes bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
comment on table user_storage is
  'Derived: how much the originals of an account take, also of items that are hidden, in the trash or being removed: as long as there is a '
  'row, there may be an object. Apart from the account''s own row, which every request reads. Uploads to an account with a quota lock its row '
  'here, so that nobody is given room that another one has taken a moment ago.';
comment on column user_storage.user_id is 'Whose originals.';
comment on column user_storage.used_bytes is 'Their size, but for what user_storage_deltas has.';

create table user_storage_deltas (
  id      bigint generated always as identity primary key,
  user_id uuid not null,
  bytes   bigint not null
);
comment on table user_storage_deltas is
  'Derived: what has changed since, so that uploads to an account without a quota do not wait for one another; the housekeeper rolls it up into '
  'user_storage, see [Note: Quotas].';
comment on column user_storage_deltas.id is 'The order in which rows came.';
comment on column user_storage_deltas.user_id is 'Whose originals.';
comment on column user_storage_deltas.bytes is 'How much has come, or with a minus, how much has gone.';

create index user_storage_deltas_user_id on user_storage_deltas (user_id) include (bytes);

create function append_storage_deltas() returns trigger language plpgsql as $$
begin
  insert into user_storage_deltas (user_id, bytes)
  select user_id, tg_argv[0]::integer * sum(size_bytes) from changed_rows group by user_id;
  return null;
end $$;

create trigger media_items_storage_insert after insert on media_items
  referencing new table as changed_rows for each statement execute function append_storage_deltas('1');
create trigger media_items_storage_delete after delete on media_items
  referencing old table as changed_rows for each statement
  when (not is_removing_account()) execute function append_storage_deltas('-1');
