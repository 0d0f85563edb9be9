-- Counts: how many items a library or a collection has, for the number of pages, for the timeline, and to find a page deep in a list.

create table counts (
  user_id      uuid not null references users on delete cascade,
  grain        text not null check (grain in ('all', 'year', 'month', 'day', 'hour')),
  bucket       timestamp not null,
  visibility   text not null,
  type         text not null,
  category     text not null,
  status       text not null,
  is_favourite boolean not null,
  n            integer not null,
  primary key (user_id, grain, visibility, bucket, type, category, status, is_favourite)
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);
comment on table counts is 'Derived: how many items of one kind a library has in a span of time. A read is the sum of this and count_deltas.';
comment on column counts.user_id is 'Whose library.';
comment on column counts.grain is 'How long the span is.';
comment on column counts.bucket is 'The begin of the year, month, day or hour of local time; -infinity for all.';
comment on column counts.visibility is 'In which list.';
comment on column counts.type is 'Of which type.';
comment on column counts.category is 'Of which category.';
comment on column counts.status is 'Of which status.';
comment on column counts.is_favourite is 'Whether favourites or others.';
comment on column counts.n is 'How many.';

create table count_deltas (
  id           bigint generated always as identity primary key,
  user_id      uuid not null,
  hour         timestamp not null,
  visibility   text not null,
  type         text not null,
  category     text not null,
  status       text not null,
  is_favourite boolean not null,
  n            integer not null,
  local_time   timestamp,
  item_id      uuid
) with (autovacuum_vacuum_scale_factor = 0.1);
comment on table count_deltas is
  'Derived: what has changed since, appended by triggers, so that no two writers wait for one row; the housekeeper folds it into counts.';
comment on column count_deltas.id is 'The order in which rows came.';
comment on column count_deltas.user_id is 'Whose library.';
comment on column count_deltas.hour is 'The hour of local time.';
comment on column count_deltas.visibility is 'In which list.';
comment on column count_deltas.type is 'Of which type.';
comment on column count_deltas.category is 'Of which category.';
comment on column count_deltas.status is 'Of which status.';
comment on column count_deltas.is_favourite is 'Whether favourites or others.';
comment on column count_deltas.n is 'How many have come, or with a minus, have gone.';
comment on column count_deltas.local_time is
  'The item''s own place in the order, of one whose hour is divided already; else rows are put together by the hour.';
comment on column count_deltas.item_id is 'The item, where its local time is told.';

create index count_deltas_user_id on count_deltas (user_id, visibility, hour);

create table collection_counts (
  collection_id uuid not null references collections on delete cascade,
  grain         text not null check (grain in ('all', 'year', 'month', 'day', 'hour')),
  bucket        timestamp not null,
  n             integer not null,
  primary key (collection_id, grain, bucket)
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);
comment on table collection_counts is
  'Derived: how many visible items a collection has in a span of time, as [Note: Kept counts] has it for libraries.';
comment on column collection_counts.collection_id is 'Which collection.';
comment on column collection_counts.grain is 'How long the span is.';
comment on column collection_counts.bucket is 'The begin of the span; -infinity for all.';
comment on column collection_counts.n is 'How many.';

create table collection_count_deltas (
  id            bigint generated always as identity primary key,
  collection_id uuid not null,
  hour          timestamp not null,
  n             integer not null,
  local_time    timestamp,
  item_id       uuid
) with (autovacuum_vacuum_scale_factor = 0.1);
comment on table collection_count_deltas is 'Derived: what has changed since; the housekeeper folds it into collection_counts.';
comment on column collection_count_deltas.id is 'The order in which rows came.';
comment on column collection_count_deltas.collection_id is 'Which collection.';
comment on column collection_count_deltas.hour is 'The hour of local time.';
comment on column collection_count_deltas.n is 'How many have come, or with a minus, have gone.';
comment on column collection_count_deltas.local_time is 'The item''s own place in the order, of one whose hour is divided already.';
comment on column collection_count_deltas.item_id is 'The item, where its local time is told.';

create index collection_count_deltas_collection_id on collection_count_deltas (collection_id, hour);

-- Thousands of items within one hour: scans without a date of their own, sorted by when they were uploaded, or all dated alike. Counts go
-- no finer than an hour, so a page deep inside such an hour would be reached by skipping. A full hour is divided into cells of a few
-- thousand items, which are counted as hours are.
create table hour_bounds (
  list_id    uuid not null,
  hour       timestamp not null,
  local_time timestamp not null,
  item_id    uuid not null,
  primary key (list_id, hour, local_time, item_id)
);
comment on table hour_bounds is
  'Derived: where a cell of a full hour begins, a place in the one sort order; it reaches to the begin of the next one.';
comment on column hour_bounds.list_id is 'The user of a library or a collection: without a foreign key to either.';
comment on column hour_bounds.hour is 'The hour of local time.';
comment on column hour_bounds.local_time is 'The local time of the first item.';
comment on column hour_bounds.item_id is 'The id of the first item.';

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
comment on table hour_cells is 'Derived: how many items of one kind a cell has; a collection''s are all of one kind.';
comment on column hour_cells.list_id is 'As in hour_bounds.';
comment on column hour_cells.hour is 'As in hour_bounds.';
comment on column hour_cells.local_time is 'As in hour_bounds.';
comment on column hour_cells.item_id is 'As in hour_bounds.';
comment on column hour_cells.visibility is 'In which list.';
comment on column hour_cells.type is 'Of which type.';
comment on column hour_cells.category is 'Of which category.';
comment on column hour_cells.status is 'Of which status.';
comment on column hour_cells.is_favourite is 'Whether favourites or others.';
comment on column hour_cells.n is 'How many.';

create function is_divided(list uuid, of_hour timestamp) returns boolean language sql stable
return exists (select from hour_bounds where list_id = list and hour = of_hour);

-- [Note: Kept counts] Triggers of statements, not of rows: an import by one INSERT appends one row per bucket.
create function append_count_deltas_of_insert() returns trigger language plpgsql as $$
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

create function append_count_deltas_of_update() returns trigger language plpgsql as $$
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

create function append_count_deltas_of_delete() returns trigger language plpgsql as $$
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

create trigger media_items_counts_insert after insert on media_items
  referencing new table as new_rows for each statement execute function append_count_deltas_of_insert();
create trigger media_items_counts_update after update on media_items
  referencing new table as new_rows old table as old_rows for each statement execute function append_count_deltas_of_update();
create trigger media_items_counts_delete after delete on media_items
  referencing old table as old_rows for each statement
  when (not is_removing_account()) execute function append_count_deltas_of_delete();

create function append_collection_deltas_of_insert() returns trigger language plpgsql as $$
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

create function append_collection_deltas_of_update() returns trigger language plpgsql as $$
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

create function append_collection_deltas_of_delete() returns trigger language plpgsql as $$
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

create trigger collection_items_counts_insert after insert on collection_items
  referencing new table as new_rows for each statement execute function append_collection_deltas_of_insert();
create trigger collection_items_counts_update after update on collection_items
  referencing new table as new_rows old table as old_rows
  for each statement execute function append_collection_deltas_of_update();
create trigger collection_items_counts_delete after delete on collection_items
  referencing old table as old_rows for each statement
  when (not is_removing_account()) execute function append_collection_deltas_of_delete();

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

-- Finds the hour in which the item at an offset of a list lies, newest first, and the cell of a divided one: the item is `skip` items behind
-- the newest one that lies before the place `before`, `before_id`. Sums counts of years, then of that year's months, of that month's days, of
-- that day's hours: a few hundred rows for a library of any size. `total` is the length of the list; where that is no more than the offset,
-- there is no row. Within one month or day where `since` says which. A function, because PostgreSQL keeps the plan of its query, which takes
-- longer to make than to run; all steps see the same rows, those that the calling statement sees.
-- Without compiling: PostgreSQL before 18 prices what is switched off here at 10^10, and compiles every statement that costs so much, where it
-- can: that took 1.7 s for one page by number instead of 5 ms.
create function find_page(
  for_user uuid, in_visibility text, of_type text, of_category text, of_status text, item_offset bigint,
  of_favourite boolean default null, since timestamp default null, within text default null
) returns table (total bigint, before timestamp, skip bigint, before_id uuid) rows 1 language plpgsql stable
-- The planner cannot know how full count_deltas is from one second to the next. Bitmaps and hashes are right at every size.
set enable_seqscan = off set enable_indexscan = off set enable_sort = off set jit = off
set plan_cache_mode = force_generic_plan as $$
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
set enable_seqscan = off set enable_indexscan = off set enable_sort = off set jit = off
set plan_cache_mode = force_generic_plan as $$
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

create table timeline_months (
  user_id uuid not null references users on delete cascade,
  month   date not null check (extract(day from month) = 1),
  n       integer not null,
  days    integer[] not null check (array_length(days, 1) = 31),
  primary key (user_id, month)
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);
comment on table timeline_months is
  'Derived: how many visible items a user has in a month and on each of its days, in one row, where counts has one for each day and kind of '
  'item: a timeline of days reads as many rows as the library has months. Kept by triggers on counts.';
comment on column timeline_months.user_id is 'Whose items.';
comment on column timeline_months.month is 'The first day of the month, in local time.';
comment on column timeline_months.n is 'How many in the month.';
comment on column timeline_months.days is 'How many on each of the 31 days that a month has at most, the first one first.';

create function add_to_day(days integer[], day integer, n bigint) returns integer[] language plpgsql immutable as $$
begin
  days[day] := days[day] + n;
  return days;
end $$;

-- Counts by their days of a month: as many elements as the longest month has.
create aggregate counts_by_day(integer, bigint) (
  sfunc = add_to_day, stype = integer[], initcond = '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}'
);

create function add_days(integer[], integer[]) returns integer[] language sql immutable
return (select array_agg(one + other order by day) from unnest($1, $2) with ordinality as both_months (one, other, day));

create function keep_timeline_of_insert() returns trigger language plpgsql as $$
begin
  insert into timeline_months as kept (user_id, month, n, days)
  select user_id, date_trunc('month', bucket), sum(n), counts_by_day(extract(day from bucket)::integer, n) from new_rows
  where grain = 'day' and visibility = 'visible'
  group by 1, 2 order by 1, 2
  on conflict (user_id, month) do update set n = kept.n + excluded.n, days = add_days(kept.days, excluded.days);
  return null;
end $$;

create function keep_timeline_of_update() returns trigger language plpgsql as $$
begin
  insert into timeline_months as kept (user_id, month, n, days)
  select user_id, date_trunc('month', bucket), sum(n), counts_by_day(extract(day from bucket)::integer, n) from (
    select user_id, grain, bucket, visibility, n from new_rows
    union all
    select user_id, grain, bucket, visibility, -n from old_rows
  ) as changes
  where grain = 'day' and visibility = 'visible'
  group by 1, 2 order by 1, 2
  on conflict (user_id, month) do update set n = kept.n + excluded.n, days = add_days(kept.days, excluded.days);
  return null;
end $$;

create trigger counts_timeline_insert after insert on counts
  referencing new table as new_rows for each statement execute function keep_timeline_of_insert();
create trigger counts_timeline_update after update on counts
  referencing new table as new_rows old table as old_rows for each statement execute function keep_timeline_of_update();

create table collection_totals (
  user_id       uuid not null,
  kind          text not null,
  collection_id uuid not null,
  n             integer not null,
  is_filled     boolean not null generated always as (n > 0) stored,
  sort_name     text collate "C",
  primary key (user_id, kind, collection_id)
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);
comment on table collection_totals is
  'Derived: how many visible items each collection of a user has, narrow and in one place, so that places, things and people without any are '
  'left out of their lists, and the others counted, without a look at each one''s items. Written by the housekeeper alone as it folds deltas; '
  'without a foreign key, since whoever holds a collection''s row would have to be waited for.';
comment on column collection_totals.user_id is 'Whose collection.';
comment on column collection_totals.kind is 'Of which kind.';
comment on column collection_totals.collection_id is 'Which collection.';
comment on column collection_totals.n is 'How many, but for what collection_count_deltas has.';
comment on column collection_totals.is_filled is
  'Whether there are any; by itself, so that a count that changes, as most do, leaves the index alone.';
comment on column collection_totals.sort_name is 'The key by which a place or thing is sorted: those keep their names.';

create index collection_totals_by_name on collection_totals (user_id, kind, sort_name, collection_id) where is_filled;

create function name_collection_total() returns trigger language plpgsql as $$
begin
  if new.kind = 'place' then
    new.sort_name := (select sort_name from places where id = new.collection_id);
  elsif new.kind = 'thing' then
    new.sort_name := (select sort_name from things where id = new.collection_id);
  end if;
  return new;
end $$;

create trigger collection_totals_name before insert on collection_totals for each row execute function name_collection_total();

-- list_named_places, list_named_things: a page of a user's places or things that have a visible item, by name and behind a position in the
-- list, so that whoever walks it by positions meets each once, whatever comes and goes meanwhile; each with how many there are, and one row
-- without an id where there is none on the page. They walk the totals by name, and sort none but those whose total changes.
-- list_people: the same of a user's people, hidden or not. Those without a name come last, most items first; their names are null, and their
-- position begins with how many items.
-- Functions with their own settings, since the planner cannot know how full collection_count_deltas is from one second to the next; with one
-- plan for all values, since to plan takes as long as to read a page, and a plan for the values of one page is no better. A merge would walk
-- through the places, things or people of all users.
create function list_named_places(for_user uuid, behind_name text, behind_id uuid, skip bigint, size integer)
returns table (id uuid, total bigint) rows 15 language plpgsql stable
set enable_seqscan = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    with waiting as materialized (
      select deltas.collection_id, sum(deltas.n) as n from collection_count_deltas as deltas group by 1
    ), changed as materialized (
      select waiting.collection_id, coalesce(kept.n, 0) + waiting.n as n
      from waiting
      join collections on collections.id = waiting.collection_id
      left join collection_totals as kept
        on kept.user_id = for_user and kept.kind = 'place' and kept.collection_id = waiting.collection_id
      where collections.user_id = for_user and collections.kind = 'place'
    ), counted as (
      select count(*) + (select count(*) from changed where n > 0) as n
      from collection_totals as kept
      where kept.user_id = for_user and kept.kind = 'place' and kept.is_filled
        and kept.collection_id not in (select collection_id from changed)
    )
    select page.collection_id, counted.n
    from counted left join (
      (
        select kept.collection_id, kept.sort_name from collection_totals as kept
        where kept.user_id = for_user and kept.kind = 'place' and kept.is_filled
          and (kept.sort_name, kept.collection_id) > (behind_name, behind_id)
          and kept.collection_id not in (select collection_id from changed)
        order by kept.sort_name, kept.collection_id limit skip + size
      )
      union all
      select changed.collection_id, named.sort_name from changed join places as named on named.id = changed.collection_id
      where changed.n > 0 and (named.sort_name, named.id) > (behind_name, behind_id)
      order by sort_name, collection_id offset skip limit size
    ) as page on true
    order by page.sort_name, page.collection_id;
end $$;

create function list_named_things(for_user uuid, behind_name text, behind_id uuid, skip bigint, size integer)
returns table (id uuid, total bigint) rows 15 language plpgsql stable
set enable_seqscan = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    with waiting as materialized (
      select deltas.collection_id, sum(deltas.n) as n from collection_count_deltas as deltas group by 1
    ), changed as materialized (
      select waiting.collection_id, coalesce(kept.n, 0) + waiting.n as n
      from waiting
      join collections on collections.id = waiting.collection_id
      left join collection_totals as kept
        on kept.user_id = for_user and kept.kind = 'thing' and kept.collection_id = waiting.collection_id
      where collections.user_id = for_user and collections.kind = 'thing'
    ), counted as (
      select count(*) + (select count(*) from changed where n > 0) as n
      from collection_totals as kept
      where kept.user_id = for_user and kept.kind = 'thing' and kept.is_filled
        and kept.collection_id not in (select collection_id from changed)
    )
    select page.collection_id, counted.n
    from counted left join (
      (
        select kept.collection_id, kept.sort_name from collection_totals as kept
        where kept.user_id = for_user and kept.kind = 'thing' and kept.is_filled
          and (kept.sort_name, kept.collection_id) > (behind_name, behind_id)
          and kept.collection_id not in (select collection_id from changed)
        order by kept.sort_name, kept.collection_id limit skip + size
      )
      union all
      select changed.collection_id, named.sort_name from changed join things as named on named.id = changed.collection_id
      where changed.n > 0 and (named.sort_name, named.id) > (behind_name, behind_id)
      order by sort_name, collection_id offset skip limit size
    ) as page on true
    order by page.sort_name, page.collection_id;
end $$;

create function list_people(for_user uuid, of_hidden boolean, behind_name text, behind_n bigint, behind_created_at timestamptz,
  behind_id uuid, skip bigint, size integer)
returns table (id uuid, total bigint, n bigint) rows 15 language plpgsql stable
set enable_seqscan = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    with waiting as materialized (
      select deltas.collection_id, sum(deltas.n) as n from collection_count_deltas as deltas group by 1
    ), changed as materialized (
      select waiting.collection_id, coalesce(kept.n, 0) + waiting.n as n
      from waiting
      join collections on collections.id = waiting.collection_id
      left join collection_totals as kept
        on kept.user_id = for_user and kept.kind = 'person' and kept.collection_id = waiting.collection_id
      where collections.user_id = for_user and collections.kind = 'person'
    ), filled as (
      select kept.collection_id, kept.n::bigint as n from collection_totals as kept
      where kept.user_id = for_user and kept.kind = 'person' and kept.is_filled
        and kept.collection_id not in (select collection_id from changed)
      union all
      select changed.collection_id, changed.n::bigint from changed where changed.n > 0
    ), listed as materialized (
      select people.id, people.sort_name, filled.n, people.created_at,
        -- What tells the position of those without a name, and nothing of the others.
        case when people.sort_name is null then filled.n end as unnamed_n,
        case when people.sort_name is null then people.created_at end as unnamed_at
      from filled join people on people.id = filled.collection_id
      where people.user_id = for_user and people.is_hidden = of_hidden
    )
    select page.id, counted.n, page.n
    from (select count(*) as n from listed) as counted left join (
      select * from listed
      where (listed.sort_name, listed.id) > (behind_name, behind_id) or unnamed_n < coalesce(behind_n, unnamed_n + 1)
        or (unnamed_n = behind_n
          and (unnamed_at < behind_created_at or unnamed_at = behind_created_at and listed.id > behind_id))
      order by sort_name, unnamed_n desc, unnamed_at desc, listed.id offset skip limit size
    ) as page on true
    order by page.sort_name, page.unnamed_n desc, page.unnamed_at desc, page.id;
end $$;
