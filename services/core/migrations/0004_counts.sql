-- How many items there are, folded from count_deltas by the housekeeper. A read is the sum of both tables.
create table counts (
  user_id      uuid not null references users on delete cascade,
  grain        text not null check (grain in ('all', 'year', 'month', 'day', 'hour')),
  bucket       timestamp not null, -- begin of the year, month, day or hour of local time; -infinity for 'all'
  visibility   text not null,
  type         text not null,
  category     text not null,
  status       text not null,
  is_favourite boolean not null,
  n            integer not null,
  primary key (user_id, grain, visibility, bucket, type, category, status, is_favourite)
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);

-- Changes of counts, appended by the triggers below, so that no two writers wait for one row.
create table count_deltas (
  id           bigint generated always as identity primary key,
  user_id      uuid not null,
  hour         timestamp not null,
  visibility   text not null,
  type         text not null,
  category     text not null,
  status       text not null,
  is_favourite boolean not null,
  n            integer not null
) with (autovacuum_vacuum_scale_factor = 0.1);

create index count_deltas_user_id on count_deltas (user_id, visibility, hour);

-- [Note: Kept counts] Triggers of statements, not of rows: an import by one INSERT appends one row per bucket.
create function append_count_deltas_of_insert() returns trigger language plpgsql as $$
begin
  insert into count_deltas (user_id, hour, visibility, type, category, status, is_favourite, n)
  select user_id, date_trunc('hour', local_time), visibility, type, category, status, is_favourite, count(*)
  from new_rows where visibility <> 'removed' group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end $$;

create function append_count_deltas_of_update() returns trigger language plpgsql as $$
begin
  insert into count_deltas (user_id, hour, visibility, type, category, status, is_favourite, n)
  select user_id, date_trunc('hour', local_time), visibility, type, category, status, is_favourite, sum(n)
  from (
    select user_id, local_time, visibility, type, category, status, is_favourite, 1 as n from new_rows
    union all
    select user_id, local_time, visibility, type, category, status, is_favourite, -1 from old_rows
  ) as changes
  where visibility <> 'removed' group by 1, 2, 3, 4, 5, 6, 7 having sum(n) <> 0;
  return null;
end $$;

create function append_count_deltas_of_delete() returns trigger language plpgsql as $$
begin
  insert into count_deltas (user_id, hour, visibility, type, category, status, is_favourite, n)
  select user_id, date_trunc('hour', local_time), visibility, type, category, status, is_favourite, -count(*)
  from old_rows where visibility <> 'removed' group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end $$;

create trigger media_items_counts_insert after insert on media_items
  referencing new table as new_rows for each statement execute function append_count_deltas_of_insert();
create trigger media_items_counts_update after update on media_items
  referencing new table as new_rows old table as old_rows for each statement execute function append_count_deltas_of_update();
create trigger media_items_counts_delete after delete on media_items
  referencing old table as old_rows for each statement execute function append_count_deltas_of_delete();

-- Finds the hour in which the item at an offset of a list lies, newest first: the item is `skip` items behind the newest one
-- taken before `before`. Sums counts of years, then of that year's months, of that month's days, of that day's hours: a few
-- hundred rows for a library of any size. `total` is the length of the list; where that is no more than the offset, there is
-- no row. A function, because PostgreSQL keeps the plan of its query, which takes longer to make than to run; all steps see
-- the same rows, those that the calling statement sees.
create function find_jump(
  for_user uuid, in_visibility text, of_type text, of_category text, of_status text, item_offset bigint
) returns table (total bigint, before timestamp, skip bigint) rows 1 language plpgsql stable
-- The planner cannot know how full count_deltas is from one second to the next. Bitmaps and hashes are right at every size.
set enable_seqscan = off set enable_indexscan = off set enable_sort = off as $$
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
        select bucket, n from counts
        where user_id = for_user and grain = span and visibility = in_visibility and bucket >= begins_at and bucket < before
          and (of_type is null or type = of_type) and (of_category is null or category = of_category)
          and (of_status is null or status = of_status)
        union all
        -- Summed by itself first: thousands of rows become a few before the two are put together.
        select date_trunc(span, hour), sum(n)::int from count_deltas
        where user_id = for_user and visibility = in_visibility and hour >= begins_at and hour < before
          and (of_type is null or type = of_type) and (of_category is null or category = of_category)
          and (of_status is null or status = of_status)
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
