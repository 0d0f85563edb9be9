-- What items are put together in: albums now, then places, things and people. A collection's items are listed, counted and jumped into by
-- one mechanism, so that all of them cost the same at the end of a million items as at their beginning.
create table collections (
  id       uuid primary key,
  user_id  uuid not null references users on delete cascade,
  kind     text not null check (kind in ('album')),
  cover_id uuid references media_items on delete set null -- chosen by hand; counts while it is a visible item of the collection
);

create index collections_user_id on collections (user_id);
create index collections_cover_id on collections (cover_id) where cover_id is not null;

-- The time and the visibility are the item's own, kept here by a trigger, so that a page is read from one index.
create table collection_items (
  collection_id uuid not null references collections on delete cascade,
  media_item_id uuid not null references media_items on delete cascade,
  local_time    timestamp not null,
  visibility    text not null,
  primary key (collection_id, media_item_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, fillfactor = 85);

create index collection_items_visible on collection_items (collection_id, local_time desc, media_item_id desc)
  where visibility = 'visible';
create index collection_items_media_item_id on collection_items (media_item_id);

create table albums (
  id          uuid primary key references collections on delete cascade,
  user_id     uuid not null references users on delete cascade,
  name        text not null,
  description text,
  is_shared   boolean not null default false,
  is_hidden   boolean not null default false,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);

-- Names as a person sorts them, without regard to case; equal ones in a fixed order.
create index albums_by_name on albums (user_id, lower(name), name, id);
create index albums_by_created_at on albums (user_id, created_at, id);
create index albums_by_updated_at on albums (user_id, updated_at, id);

-- How many visible items a collection has, as [Note: Kept counts] has it for libraries: folded from the deltas by the housekeeper.
create table collection_counts (
  collection_id uuid not null references collections on delete cascade,
  grain         text not null check (grain in ('all', 'year', 'month', 'day', 'hour')),
  bucket        timestamp not null,
  n             integer not null,
  primary key (collection_id, grain, bucket)
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);

create table collection_count_deltas (
  id            bigint generated always as identity primary key,
  collection_id uuid not null,
  hour          timestamp not null,
  n             integer not null
) with (autovacuum_vacuum_scale_factor = 0.1);

create index collection_count_deltas_collection_id on collection_count_deltas (collection_id, hour);

create function append_collection_deltas_of_insert() returns trigger language plpgsql as $$
begin
  insert into collection_count_deltas (collection_id, hour, n)
  select collection_id, date_trunc('hour', local_time), count(*) from new_rows where visibility = 'visible' group by 1, 2;
  return null;
end $$;

create function append_collection_deltas_of_update() returns trigger language plpgsql as $$
begin
  insert into collection_count_deltas (collection_id, hour, n)
  select collection_id, date_trunc('hour', local_time), sum(n)
  from (
    select collection_id, local_time, visibility, 1 as n from new_rows
    union all
    select collection_id, local_time, visibility, -1 from old_rows
  ) as changes
  where visibility = 'visible' group by 1, 2 having sum(n) <> 0;
  return null;
end $$;

create function append_collection_deltas_of_delete() returns trigger language plpgsql as $$
begin
  insert into collection_count_deltas (collection_id, hour, n)
  select collection_id, date_trunc('hour', local_time), -count(*) from old_rows where visibility = 'visible' group by 1, 2;
  return null;
end $$;

create trigger collection_items_counts_insert after insert on collection_items
  referencing new table as new_rows for each statement execute function append_collection_deltas_of_insert();
create trigger collection_items_counts_update after update on collection_items
  referencing new table as new_rows old table as old_rows
  for each statement execute function append_collection_deltas_of_update();
create trigger collection_items_counts_delete after delete on collection_items
  referencing old table as old_rows for each statement execute function append_collection_deltas_of_delete();

-- Of rows, with a condition: most changes of an item are none of its collections' business and must cost nothing. Whoever adds an item to a
-- collection locks it first, so that none is missed.
create function follow_media_item() returns trigger language plpgsql as $$
begin
  update collection_items set local_time = new.local_time, visibility = new.visibility where media_item_id = new.id;
  return null;
end $$;

create trigger media_items_collections after update on media_items for each row
  when (old.local_time is distinct from new.local_time or old.visibility is distinct from new.visibility)
  execute function follow_media_item();

-- As find_jump, for the visible items of a collection.
create function find_collection_jump(for_collection uuid, item_offset bigint)
returns table (total bigint, before timestamp, skip bigint) rows 1 language plpgsql stable
set enable_seqscan = off set enable_indexscan = off set enable_sort = off set jit = off as $$
declare
  span text;
  begins_at timestamp := '-infinity';
  kept record;
  is_found boolean;
begin
  total := 0;
  before := 'infinity';
  skip := item_offset;
  foreach span in array array['year', 'month', 'day', 'hour'] loop
    is_found := false;
    for kept in
      select bucket, sum(n) as n from (
        select bucket, n from collection_counts
        where collection_id = for_collection and grain = span and bucket >= begins_at and bucket < before
        union all
        select date_trunc(span, hour), sum(n)::int from collection_count_deltas
        where collection_id = for_collection and hour >= begins_at and hour < before
        group by 1
      ) as both_tables group by bucket order by bucket desc
    loop
      if span = 'year' then total := total + kept.n; end if;
      continue when is_found;
      is_found := skip < kept.n;
      if is_found then begins_at := kept.bucket; else skip := skip - kept.n; end if;
    end loop;
    if not is_found then return; end if;
    before := begins_at + ('1 ' || span)::interval;
  end loop;
  return next;
end $$;
