-- Uploads: how items come in, what is left of those that never came or are gone, and how much of the store each account
-- takes.

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
comment on column uploads.user_id is 'The user who uploads it, and whose item it becomes.';
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
-- Without it PostgreSQL reads every upload of everybody for each user that is deleted: the other index has unfinished
-- ones only.
create index uploads_user_id on uploads (user_id);

create table upload_parts (
  upload_id uuid not null references uploads on delete cascade,
  number    integer not null,
  tag       text not null,
  primary key (upload_id, number)
);
comment on table upload_parts is 'Machine: a part of an upload that is stored and counts as received; gone once the upload is finished.';
comment on column upload_parts.upload_id is 'The upload that the part belongs to.';
comment on column upload_parts.number is 'The place of the part among those of its upload, from 1.';
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
  'here, so that nobody is given bytes that another one has taken a moment ago.';
comment on column user_storage.user_id is 'The account whose originals are summed.';
comment on column user_storage.used_bytes is 'The sum of the sizes of these originals, but for what user_storage_deltas has.';

create table user_storage_deltas (
  id      bigint generated always as identity primary key,
  user_id uuid not null,
  bytes   bigint not null
);
comment on table user_storage_deltas is
  'Derived: what has changed since, so that uploads to an account without a quota do not wait for one another; the housekeeper rolls it up into '
  'user_storage, see [Note: Quotas].';
comment on column user_storage_deltas.id is 'The order in which rows came.';
comment on column user_storage_deltas.user_id is 'The account whose originals have come or gone.';
comment on column user_storage_deltas.bytes is 'How many bytes have come, or with a minus, have gone.';

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
