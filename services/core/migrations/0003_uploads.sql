-- Uploads: resumable uploads, leftovers of interrupted uploads and deleted items, and the storage used by each account.

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
  'Machine: a resumable upload (tus) over several requests, processes and replicas. Received bytes are stored in two places: complete parts '
  'in the unfinished original, the rest in a separate object, the tail. The row is kept until it expires, so that a client that lost the '
  'response can still query the result.';
comment on column uploads.id is 'Id of the upload and of its media item; object keys contain it.';
comment on column uploads.user_id is 'User who uploads the file and will own the item.';
comment on column uploads.metadata is 'Upload-Metadata header as sent by the client.';
comment on column uploads.length_bytes is 'Size of the complete file, in bytes.';
comment on column uploads.received_bytes is 'Number of bytes received and stored.';
comment on column uploads.part_bytes is 'Size of every part except the last, in bytes.';
comment on column uploads.write_id is 'Store''s id of the unfinished object; null until it exists.';
comment on column uploads.hash_state is 'SHA-256 state after all stored parts, so that any process can resume hashing.';
comment on column uploads.tail_key is 'Object key of the tail; null without one.';
comment on column uploads.mime_type is 'Format detected from the first bytes.';
comment on column uploads.type is 'Media type of that format: photo or video.';
comment on column uploads.checksum is 'SHA-256 of the complete file; null until all parts are stored.';
comment on column uploads.media_item_id is 'Created item; no foreign key, because the item may be deleted.';
comment on column uploads.claim_id is 'Id of the request that holds the claim; the request ends if another one takes it.';
comment on column uploads.claimed_until is 'Expiry of the claim unless it is renewed.';
comment on column uploads.is_asked_for is 'True if another request waits for the claim to be released or to expire.';
comment on column uploads.created_at is 'Time of the upload''s creation.';
comment on column uploads.expires_at is 'Time to delete the row.';

create index uploads_unfinished on uploads (user_id) where media_item_id is null;
create index uploads_received on uploads (created_at) where media_item_id is null and received_bytes = length_bytes;
create index uploads_expires_at on uploads (expires_at);
-- Used when a user is deleted. The partial index has only unfinished uploads, so without this index PostgreSQL would
-- scan the uploads of all users.
create index uploads_user_id on uploads (user_id);

create table upload_parts (
  upload_id uuid not null references uploads on delete cascade,
  number    integer not null,
  tag       text not null,
  primary key (upload_id, number)
);
comment on table upload_parts is 'Machine: a stored part of an upload. Deleted once the upload is finished.';
comment on column upload_parts.upload_id is 'Upload that the part belongs to.';
comment on column upload_parts.number is 'Part number within the upload, from 1.';
comment on column upload_parts.tag is 'Tag returned by the store (ETag), needed to complete the object.';

create table abandoned_items (
  media_item_id uuid primary key,
  abandoned_at  timestamptz not null default now()
);
comment on table abandoned_items is
  'Machine: an item id that must not be inserted, see [Note: Abandoned items]. Recorded before the objects are deleted, so that a delayed '
  'upload inserts no row without an original. Deleted when no such upload can still be active.';
comment on column abandoned_items.media_item_id is 'Id of the deleted item, or of an item never inserted.';
comment on column abandoned_items.abandoned_at is 'Time of the record.';

create table orphans (
  user_id       uuid not null,
  media_item_id uuid not null,
  size_bytes    bigint not null,
  first_seen_at timestamptz not null default now(),
  last_seen_at  timestamptz not null default now(),
  primary key (user_id, media_item_id)
);
comment on table orphans is
  'Machine: an original without an item, found by the orphan sweep. Example: it was uploaded after the backup from which the database was '
  'restored. No foreign keys, because its user may be missing too.';
comment on column orphans.user_id is 'User id in the object key.';
comment on column orphans.media_item_id is 'Item id in the object key.';
comment on column orphans.size_bytes is 'Size of the original, in bytes.';
comment on column orphans.first_seen_at is 'First sighting as an orphan, without interruption since then.';
comment on column orphans.last_seen_at is 'Last sighting by the sweep.';

create table removed_users (
  user_id    uuid primary key,
  removed_at timestamptz not null default now()
);
comment on table removed_users is 'Truth: an account deleted on purpose. Leftover objects of it need not be kept.';
comment on column removed_users.user_id is 'Id of the deleted account.';
comment on column removed_users.removed_at is 'Time of the deletion.';

create table user_storage (
  user_id    uuid primary key references users on delete cascade,
  used_bytes bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
comment on table user_storage is
  'Derived: storage used by the originals of an account, including hidden and trashed items, and items being deleted, whose objects may '
  'still exist. A separate table, because every request reads users. Uploads to an account with a quota lock the row, so that concurrent '
  'uploads cannot exceed the quota.';
comment on column user_storage.user_id is 'Account that owns the originals.';
comment on column user_storage.used_bytes is 'Sum of the sizes, in bytes, without the pending changes in user_storage_deltas.';

create table user_storage_deltas (
  id      bigint generated always as identity primary key,
  user_id uuid not null,
  bytes   bigint not null
);
comment on table user_storage_deltas is
  'Derived: pending changes of storage use, which the housekeeper adds to user_storage. So uploads without a quota do not wait for each '
  'other, see [Note: Quotas].';
comment on column user_storage_deltas.id is 'Number of the row, in insertion order.';
comment on column user_storage_deltas.user_id is 'Account that owns the originals.';
comment on column user_storage_deltas.bytes is 'Number of bytes added; negative for deleted originals.';

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
