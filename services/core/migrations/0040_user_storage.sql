-- How much of the store an account may take; null: as much as there is.
alter table users add column quota_bytes bigint check (quota_bytes >= 0);

-- How much the originals of an account take, also of items that are hidden, in the trash or being removed: as long as there is a row, there may be
-- an object. Apart from the account's own row, which every request reads. Uploads to an account with a quota lock its row here, so that nobody is
-- given room that another one has taken a moment ago.
create table user_storage (
  user_id    uuid primary key references users on delete cascade,
  used_bytes bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- What has changed since, so that uploads to an account without a quota do not wait for one another; folded into user_storage by the housekeeper.
create table user_storage_deltas (
  id      bigint generated always as identity primary key,
  user_id uuid not null,
  bytes   bigint not null
);
create index user_storage_deltas_user_id on user_storage_deltas (user_id) include (bytes);

-- Nobody uploads or removes between the sums and the triggers.
lock table media_items in share row exclusive mode;

insert into user_storage (user_id, used_bytes)
select user_id, sum(size_bytes) from media_items group by user_id;

create function note_added_bytes() returns trigger language plpgsql as $$
begin
  insert into user_storage_deltas (user_id, bytes)
  select user_id, sum(size_bytes) from new_rows group by user_id;
  return null;
end $$;

create function note_removed_bytes() returns trigger language plpgsql as $$
begin
  insert into user_storage_deltas (user_id, bytes)
  select user_id, -sum(size_bytes) from old_rows group by user_id;
  return null;
end $$;

create trigger media_items_storage_insert after insert on media_items
  referencing new table as new_rows for each statement execute function note_added_bytes();
create trigger media_items_storage_delete after delete on media_items
  referencing old table as old_rows for each statement
  when (not is_removing_account()) execute function note_removed_bytes();
