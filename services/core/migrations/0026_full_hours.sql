-- Thousands of items within one hour: scans without a date of their own, sorted by when they were uploaded, or all dated alike. Counts go
-- no finer than an hour, so a page deep inside such an hour would be reached by skipping. A full hour is divided into cells of a few
-- thousand items, which are counted as hours are. Bounds are places in the one sort order; a cell reaches from its own to the next one.

-- Of libraries, by their users, and of collections: lists of items, without a foreign key to either.
create table hour_bounds (
  list_id    uuid not null,
  hour       timestamp not null,
  local_time timestamp not null,
  item_id    uuid not null,
  primary key (list_id, hour, local_time, item_id)
);

-- The counts of a cell by what libraries are filtered by; a collection's are all of one kind.
create table hour_cells (
  list_id      uuid not null,
  hour         timestamp not null,
  local_time   timestamp not null,
  item_id      uuid not null,
  visibility   text not null,
  type         text not null,
  category     text not null,
  status       text not null,
  is_favourite boolean not null,
  n            integer not null,
  primary key (list_id, hour, local_time, item_id, visibility, type, category, status, is_favourite)
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);

-- The item's own place in the order, of one whose hour is divided already; else deltas are put together by the hour.
alter table count_deltas add column local_time timestamp, add column item_id uuid;
alter table collection_count_deltas add column local_time timestamp, add column item_id uuid;

create function is_divided(list uuid, of_hour timestamp) returns boolean language sql stable
return exists (select from hour_bounds where list_id = list and hour = of_hour);

create or replace function append_count_deltas_of_insert() returns trigger language plpgsql as $$
begin
  insert into count_deltas (user_id, hour, visibility, type, category, status, is_favourite, local_time, item_id, n)
  select user_id, hour, visibility, type, category, status, is_favourite,
    case when is_divided then local_time end, case when is_divided then id end, count(*)
  from (select *, date_trunc('hour', local_time) as hour from new_rows where visibility <> 'removed') as changes
  cross join lateral (
    select exists (select from hour_bounds where list_id = changes.user_id and hour_bounds.hour = changes.hour) as is_divided
  ) as known
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
  return null;
end $$;

create or replace function append_count_deltas_of_update() returns trigger language plpgsql as $$
begin
  insert into count_deltas (user_id, hour, visibility, type, category, status, is_favourite, local_time, item_id, n)
  select user_id, hour, visibility, type, category, status, is_favourite,
    case when is_divided then local_time end, case when is_divided then id end, sum(n)
  from (
    select id, user_id, date_trunc('hour', local_time) as hour, local_time, visibility, type, category, status, is_favourite, 1 as n
    from new_rows
    union all
    select id, user_id, date_trunc('hour', local_time), local_time, visibility, type, category, status, is_favourite, -1
    from old_rows
  ) as changes
  cross join lateral (
    select exists (select from hour_bounds where list_id = changes.user_id and hour_bounds.hour = changes.hour) as is_divided
  ) as known
  where visibility <> 'removed'
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having sum(n) <> 0;
  return null;
end $$;

create or replace function append_count_deltas_of_delete() returns trigger language plpgsql as $$
begin
  insert into count_deltas (user_id, hour, visibility, type, category, status, is_favourite, local_time, item_id, n)
  select user_id, hour, visibility, type, category, status, is_favourite,
    case when is_divided then local_time end, case when is_divided then id end, -count(*)
  from (select *, date_trunc('hour', local_time) as hour from old_rows where visibility <> 'removed') as changes
  cross join lateral (
    select exists (select from hour_bounds where list_id = changes.user_id and hour_bounds.hour = changes.hour) as is_divided
  ) as known
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
  return null;
end $$;

create or replace function append_collection_deltas_of_insert() returns trigger language plpgsql as $$
begin
  insert into collection_count_deltas (collection_id, hour, local_time, item_id, n)
  select collection_id, hour, case when is_divided then local_time end, case when is_divided then media_item_id end, count(*)
  from (select *, date_trunc('hour', local_time) as hour from new_rows where visibility = 'visible') as changes
  cross join lateral (
    select exists (select from hour_bounds where list_id = changes.collection_id and hour_bounds.hour = changes.hour) as is_divided
  ) as known
  group by 1, 2, 3, 4;
  return null;
end $$;

create or replace function append_collection_deltas_of_update() returns trigger language plpgsql as $$
begin
  insert into collection_count_deltas (collection_id, hour, local_time, item_id, n)
  select collection_id, hour, case when is_divided then local_time end, case when is_divided then media_item_id end, sum(n)
  from (
    select collection_id, media_item_id, date_trunc('hour', local_time) as hour, local_time, visibility, 1 as n from new_rows
    union all
    select collection_id, media_item_id, date_trunc('hour', local_time), local_time, visibility, -1 from old_rows
  ) as changes
  cross join lateral (
    select exists (select from hour_bounds where list_id = changes.collection_id and hour_bounds.hour = changes.hour) as is_divided
  ) as known
  where visibility = 'visible'
  group by 1, 2, 3, 4 having sum(n) <> 0;
  return null;
end $$;

create or replace function append_collection_deltas_of_delete() returns trigger language plpgsql as $$
begin
  insert into collection_count_deltas (collection_id, hour, local_time, item_id, n)
  select collection_id, hour, case when is_divided then local_time end, case when is_divided then media_item_id end, -count(*)
  from (select *, date_trunc('hour', local_time) as hour from old_rows where visibility = 'visible') as changes
  cross join lateral (
    select exists (select from hour_bounds where list_id = changes.collection_id and hour_bounds.hour = changes.hour) as is_divided
  ) as known
  group by 1, 2, 3, 4;
  return null;
end $$;

-- Finds the cell of a divided hour in which the item at an offset within the hour lies, newest first: it is `skip` items behind the newest
-- one that lies before the place `before`, `before_id` in the sort order. No row where the hour is not divided, where a change waits that does
-- not know its place, or where so many wait that to find the cell of each would take longer than to skip items: then the hour has to do.
create function find_cell(
  list uuid, of_hour timestamp, in_visibility text, of_type text, of_category text, of_status text, of_favourite boolean, item_offset bigint
) returns table (before timestamp, before_id uuid, skip bigint) rows 1 language plpgsql stable
-- Called within settings that are not right here.
set enable_seqscan = off set enable_indexscan = on set enable_bitmapscan = off set enable_sort = on set jit = off as $$
declare
  cell record;
begin
  if not is_divided(list, of_hour)
    or exists (select from count_deltas where user_id = list and visibility = in_visibility and hour = of_hour and item_id is null)
    or exists (select from collection_count_deltas where collection_id = list and hour = of_hour and item_id is null)
    or (select count(*) from (
      select from count_deltas where user_id = list and visibility = in_visibility and hour = of_hour limit 2001) as waiting) > 2000
    or (select count(*) from (
      select from collection_count_deltas where collection_id = list and hour = of_hour limit 2001) as waiting) > 2000
  then return; end if;
  skip := item_offset;
  for cell in
    select local_time, item_id, sum(n) as n from (
      -- Summed by itself first, in the order of the index.
      select local_time, item_id, sum(n) as n from hour_cells
      where list_id = list and hour = of_hour and visibility = in_visibility
        and (of_type is null or type = of_type) and (of_category is null or category = of_category)
        and (of_status is null or status = of_status) and (of_favourite is null or is_favourite = of_favourite)
      group by 1, 2
      union all
      select bound.local_time, bound.item_id, n
      from (
        select local_time, item_id, n from count_deltas
        where user_id = list and visibility = in_visibility and hour = of_hour
          and (of_type is null or type = of_type) and (of_category is null or category = of_category)
          and (of_status is null or status = of_status) and (of_favourite is null or is_favourite = of_favourite)
        union all
        select local_time, item_id, n from collection_count_deltas where collection_id = list and hour = of_hour
      ) as changes
      cross join lateral (
        select local_time, item_id from hour_bounds
        where list_id = list and hour = of_hour and (local_time, item_id) <= (changes.local_time, changes.item_id)
        order by local_time desc, item_id desc limit 1
      ) as bound
    ) as counted group by 1, 2 order by 1 desc, 2 desc
  loop
    if skip >= cell.n then
      skip := skip - cell.n;
      continue;
    end if;
    select local_time, item_id into before, before_id from hour_bounds
    where list_id = list and hour = of_hour and (local_time, item_id) > (cell.local_time, cell.item_id)
    order by local_time, item_id limit 1;
    before := coalesce(before, of_hour + interval '1 hour');
    before_id := coalesce(before_id, '00000000-0000-0000-0000-000000000000');
    return next;
    return;
  end loop;
end $$;

-- As find_jump, which processes of the version before go on calling, and further into a divided hour: the item is `skip` items behind the
-- newest one that lies before the place `before`, `before_id`. Within one month or day where `since` says which.
create function find_page(
  for_user uuid, in_visibility text, of_type text, of_category text, of_status text, item_offset bigint,
  of_favourite boolean default null, since timestamp default null, within text default null
) returns table (total bigint, before timestamp, skip bigint, before_id uuid) rows 1 language plpgsql stable
-- The planner cannot know how full count_deltas is from one second to the next. Bitmaps and hashes are right at every size.
set enable_seqscan = off set enable_indexscan = off set enable_sort = off set jit = off as $$
declare
  span text;
  spans text[] := case within
    when 'month' then array['day', 'hour'] when 'day' then array['hour'] else array['year', 'month', 'day', 'hour'] end;
  begins_at timestamp := coalesce(since, '-infinity');
  kept record;
  is_found boolean;
begin
  total := 0;
  before := coalesce(since + ('1 ' || within)::interval, 'infinity');
  before_id := '00000000-0000-0000-0000-000000000000';
  skip := item_offset;
  foreach span in array spans loop
    is_found := false;
    for kept in
      select bucket, sum(n) as n from (
        select bucket, n from counts
        where user_id = for_user and grain = span and visibility = in_visibility and bucket >= begins_at and bucket < before
          and (of_type is null or type = of_type) and (of_category is null or category = of_category)
          and (of_status is null or status = of_status) and (of_favourite is null or is_favourite = of_favourite)
        union all
        -- Summed by itself first: thousands of rows become a few before the two are put together.
        select date_trunc(span, hour), sum(n)::int from count_deltas
        where user_id = for_user and visibility = in_visibility and hour >= begins_at and hour < before
          and (of_type is null or type = of_type) and (of_category is null or category = of_category)
          and (of_status is null or status = of_status) and (of_favourite is null or is_favourite = of_favourite)
        group by 1
      ) as both_tables group by bucket order by bucket desc
    loop
      if span = spans[1] then total := total + kept.n; end if;
      continue when is_found;
      is_found := skip < kept.n;
      if is_found then begins_at := kept.bucket; else skip := skip - kept.n; end if;
    end loop;
    if not is_found then return; end if;
    before := begins_at + ('1 ' || span)::interval;
  end loop;
  select coalesce(cell.before, find_page.before), coalesce(cell.before_id, find_page.before_id), coalesce(cell.skip, find_page.skip)
  into before, before_id, skip
  from (values (true)) as always
  left join find_cell(for_user, begins_at, in_visibility, of_type, of_category, of_status, of_favourite, find_page.skip) as cell on true;
  return next;
end $$;

-- As find_page, for the visible items of a collection.
create function find_collection_page(for_collection uuid, item_offset bigint)
returns table (total bigint, before timestamp, skip bigint, before_id uuid) rows 1 language plpgsql stable
set enable_seqscan = off set enable_indexscan = off set enable_sort = off set jit = off as $$
declare
  span text;
  begins_at timestamp := '-infinity';
  kept record;
  is_found boolean;
begin
  total := 0;
  before := 'infinity';
  before_id := '00000000-0000-0000-0000-000000000000';
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
  select coalesce(cell.before, find_collection_page.before), coalesce(cell.before_id, find_collection_page.before_id),
    coalesce(cell.skip, find_collection_page.skip)
  into before, before_id, skip
  from (values (true)) as always
  left join find_cell(for_collection, begins_at, 'visible', null, null, null, null, find_collection_page.skip) as cell on true;
  return next;
end $$;

-- With the kinds by which what is visible is filtered most, so that what is skipped of such a list is read from the index alone, too. Each of
-- them is a condition of another index already: one that changes writes no more entries than before.
drop index media_items_visible;
create index media_items_visible on media_items (user_id, local_time desc, id desc) include (type, category, status) where visibility = 'visible';
