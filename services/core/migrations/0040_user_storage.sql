-- How much of the store an account may take; null: as much as there is.
alter table users add column quota_bytes bigint check (quota_bytes >= 0);

-- How much the originals of an account take, also of items that are hidden, in the trash or being removed: as long as there is a row, there may be
-- an object. Apart from the account's own row, which every request reads. One row for each account that has had an item, which those who
-- change it lock, so that nobody is given room that another one has taken a moment ago.
create table user_storage (
  user_id    uuid primary key references users on delete cascade,
  used_bytes bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- Nobody uploads or removes between the sums and the triggers.
lock table media_items in share row exclusive mode;

insert into user_storage (user_id, used_bytes)
select user_id, sum(size_bytes) from media_items group by user_id;

create function add_used_bytes() returns trigger language plpgsql as $$
begin
  insert into user_storage (user_id, used_bytes)
  select user_id, sum(size_bytes) from new_rows group by user_id order by user_id
  on conflict (user_id) do update set used_bytes = user_storage.used_bytes + excluded.used_bytes;
  return null;
end $$;

create function subtract_used_bytes() returns trigger language plpgsql as $$
begin
  update user_storage set used_bytes = used_bytes - removed.bytes
  from (select user_id, sum(size_bytes) as bytes from old_rows group by user_id) as removed
  where removed.user_id = user_storage.user_id;
  return null;
end $$;

create trigger media_items_storage_insert after insert on media_items
  referencing new table as new_rows for each statement execute function add_used_bytes();
create trigger media_items_storage_delete after delete on media_items
  referencing old table as old_rows for each statement
  when (not is_removing_account()) execute function subtract_used_bytes();
