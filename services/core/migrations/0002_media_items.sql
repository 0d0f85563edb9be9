-- One photo or video of a library. Sizes are those after orientation.
create table media_items (
  id                 uuid primary key,
  user_id            uuid not null references users on delete cascade,
  checksum           bytea not null check (length(checksum) = 32), -- SHA-256 of the original
  filename           text not null,
  description        text,
  mime_type          text not null,
  size_bytes         bigint not null,
  type               text not null,
  category           text not null default 'DEFAULT',
  status             text not null default 'PROCESSING',
  is_favourite       boolean not null default false,
  is_hidden          boolean not null default false,
  deleted_at         timestamptz, -- since when it is in the trash
  removing_at        timestamptz, -- since when it is being removed for good: objects first, then this row
  taken_at           timestamptz not null,
  local_time         timestamp not null, -- wall clock where it was taken; the one sort order of the library
  utc_offset_minutes integer,
  client_taken_at    timestamptz, -- what the uploader said, for files that say nothing themselves
  width_px           integer,
  height_px          integer,
  latitude           double precision,
  longitude          double precision,
  camera_make        text,
  camera_model       text,
  focal_length_mm    double precision,
  aperture_f_number  double precision,
  iso_equivalent     double precision,
  exposure_time_s    double precision,
  fps                double precision,
  duration_s         double precision,
  placeholder        text, -- base64 ThumbHash
  preview_key        text,
  thumbnail_key      text,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  -- In which list an item is shown; every list and every count goes by this one definition.
  visibility         text not null generated always as (
    case
      when removing_at is not null then 'removed'
      when deleted_at is not null then 'trash'
      when is_hidden then 'hidden'
      else 'visible'
    end
  ) stored
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, fillfactor = 85);

-- The same bytes are one item of a library, in the trash too.
create unique index media_items_checksum on media_items (user_id, checksum) where removing_at is null;
create index media_items_visible on media_items (user_id, local_time desc, id desc) where visibility = 'visible';
create index media_items_hidden on media_items (user_id, local_time desc, id desc) where visibility = 'hidden';
create index media_items_trash on media_items (user_id, local_time desc, id desc) where visibility = 'trash';
-- What is asked for by status, type or category is mostly the rare case, which is not looked for among all the others.
create index media_items_unready on media_items (user_id, status, local_time desc, id desc)
  where visibility = 'visible' and status <> 'READY';
create index media_items_not_photos on media_items (user_id, type, local_time desc, id desc)
  where visibility = 'visible' and type <> 'PHOTO';
create index media_items_special on media_items (user_id, category, local_time desc, id desc)
  where visibility = 'visible' and category <> 'DEFAULT';
create index media_items_removing on media_items (removing_at) where removing_at is not null;
create index media_items_deleted on media_items (deleted_at) where deleted_at is not null;
