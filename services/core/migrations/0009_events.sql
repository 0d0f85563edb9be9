-- Something that happened to a library, for those who watch it live (GET /v1/events); kept for a day at most. It names what
-- changed and says nothing of it: readers are told the present state, and may be told it twice. Without foreign keys: what a
-- row names may be gone, and that it went is what the row tells.
--
-- [Note: Events behind the oldest transaction] Transactions do not end in the order in which they began, nor in that of
-- any number that they draw: a reader that remembers the last id it saw would skip what an older transaction commits later.
-- So rows are ordered by transaction, then by id, and read only up to the oldest transaction that is still open
-- (pg_snapshot_xmin): nothing can appear any more in front of what was read. The price: a transaction that stays open holds
-- back the events of all later ones.
create table events (
  user_id    uuid not null, -- whose library it is
  xid        xid8 not null default pg_current_xact_id(),
  id         bigint not null generated always as identity,
  kind       text not null, -- of what, such as 'mediaItem'
  subject_id uuid not null, -- of which one
  change     text not null check (change in ('created', 'updated', 'removed')),
  created_at timestamptz not null default now(),
  primary key (user_id, xid, id)
);

-- The last event of each library that is no longer kept: a reader that stands before it has missed some.
create table event_horizons (
  user_id uuid primary key references users on delete cascade,
  xid     xid8 not null,
  id      bigint not null
);

create function append_events_of_insert() returns trigger language plpgsql as $$
begin
  insert into events (user_id, kind, subject_id, change)
  select user_id, 'mediaItem', id, 'created' from new_rows where visibility <> 'removed';
  return null;
end $$;

-- What is compared is what an answer of the API shows of an item, but for the time of its last change.
create function append_events_of_update() returns trigger language plpgsql as $$
begin
  insert into events (user_id, kind, subject_id, change)
  select item.user_id, 'mediaItem', id, case item.visibility when 'removed' then 'removed' else 'updated' end
  from new_rows as item join old_rows as was using (id)
  where (item.visibility <> 'removed' or was.visibility <> 'removed')
    and (item.user_id, item.visibility, item.status, item.is_favourite, item.is_hidden, item.deleted_at, item.filename,
      item.description, item.mime_type, item.size_bytes, item.type, item.category, item.taken_at, item.local_time,
      item.utc_offset_minutes, item.width_px, item.height_px, item.latitude, item.longitude, item.camera_make,
      item.camera_model, item.focal_length_mm, item.aperture_f_number, item.iso_equivalent, item.exposure_time_s, item.fps,
      item.duration_s, item.placeholder, item.preview_key, item.thumbnail_key)
    is distinct from (was.user_id, was.visibility, was.status, was.is_favourite, was.is_hidden, was.deleted_at, was.filename,
      was.description, was.mime_type, was.size_bytes, was.type, was.category, was.taken_at, was.local_time,
      was.utc_offset_minutes, was.width_px, was.height_px, was.latitude, was.longitude, was.camera_make,
      was.camera_model, was.focal_length_mm, was.aperture_f_number, was.iso_equivalent, was.exposure_time_s, was.fps,
      was.duration_s, was.placeholder, was.preview_key, was.thumbnail_key);
  return null;
end $$;

-- Not of a user who is being deleted: nobody is left to read them.
create function append_events_of_delete() returns trigger language plpgsql as $$
begin
  insert into events (user_id, kind, subject_id, change)
  select user_id, 'mediaItem', id, 'removed' from old_rows
  where visibility <> 'removed' and exists (select from users where users.id = user_id);
  return null;
end $$;

create function delete_events_of_users() returns trigger language plpgsql as $$
begin
  delete from events where user_id in (select id from old_rows);
  return null;
end $$;

create trigger media_items_events_insert after insert on media_items
  referencing new table as new_rows for each statement execute function append_events_of_insert();
create trigger media_items_events_update after update on media_items
  referencing new table as new_rows old table as old_rows for each statement execute function append_events_of_update();
create trigger media_items_events_delete after delete on media_items
  referencing old table as old_rows for each statement execute function append_events_of_delete();
create trigger users_events_delete after delete on users
  referencing old table as old_rows for each statement execute function delete_events_of_users();
