-- Counts: how many items a library or a collection has, for the number of pages, for the timeline, and to find a page
-- deep in a list.

-- [Note: Kept counts] Nothing is counted when a list is read. Triggers append to count_deltas what a statement has
-- changed, the housekeeper rolls that up into counts, and a read is the sum of both. A counted list is a user's
-- library, whose items are counted by month and day and by what lists can be filtered by, or one of the user's
-- collections, whose visible items are counted by month.

create table counts (
  user_id      uuid not null references users on delete cascade,
  list_id      uuid not null,
  visibility   text not null,
  month        date not null check (extract(day from month) = 1),
  type         text,
  category     text,
  status       text,
  is_favourite boolean,
  n            integer not null,
  days         integer[] check (array_length(days, 1) = 31),
  -- The months of all kinds lie together.
  unique nulls not distinct (user_id, list_id, visibility, type, category, status, is_favourite, month),
  check ((days is null) = (list_id <> user_id))
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);
comment on table counts is 'Derived: how many items counted lists have in each month, but for what count_deltas says.';
comment on column counts.user_id is 'The user whose list it is.';
comment on column counts.list_id is 'The user, for the library, or one of the user''s collections.';
comment on column counts.visibility is 'By which of the library''s lists these items are shown; of a collection the visible ones are counted.';
comment on column counts.month is 'The first day of the month in which the items were taken, in local time.';
comment on column counts.type is
  'The type of the items that are counted. Null, with the three columns below, where items of all kinds are: the only row of a month of a collection, and one of a librarys.';
comment on column counts.category is 'The category of the items that are counted; null as type is.';
comment on column counts.status is 'The status of the items that are counted; null as type is.';
comment on column counts.is_favourite is 'Whether the items that are counted are favourites; null as type is.';
comment on column counts.n is 'How many items there are of this month and kind, but for what count_deltas says.';
comment on column counts.days is
  'How many there are on each day, the first day first; as many elements as the longest month has. Null for collections.';

create table count_deltas (
  id           bigint generated always as identity,
  user_id      uuid not null,
  list_id      uuid not null,
  visibility   text not null,
  day          date not null,
  type         text,
  category     text,
  status       text,
  is_favourite boolean,
  n            integer not null,
  -- By owner, so that a read meets only what waits of its user's lists.
  primary key (user_id, list_id, id)
) with (autovacuum_vacuum_scale_factor = 0.1);
comment on table count_deltas is 'Derived: changes of counts that wait to be added to them, appended so that no two writers wait for one row.';
comment on column count_deltas.id is 'The order in which rows came.';
comment on column count_deltas.user_id is 'The user whose list has changed.';
comment on column count_deltas.list_id is 'The list that has changed: the user, for the library, or one of the user''s collections.';
comment on column count_deltas.visibility is 'The list of the library by which the items are shown; of a collection the visible ones are counted.';
comment on column count_deltas.day is 'The day of the items, in local time; of a collection the first day of their month.';
comment on column count_deltas.type is 'The type of the items; null for collections.';
comment on column count_deltas.category is 'The category of the items; null for collections.';
comment on column count_deltas.status is 'The status of the items; null for collections.';
comment on column count_deltas.is_favourite is 'Whether the items are favourites; null for collections.';
comment on column count_deltas.n is 'How many more items there are; negative where there are fewer.';

-- Triggers of statements, not of rows: an import by one INSERT appends one row for each day and kind.
create function append_library_deltas() returns trigger language plpgsql as $$
begin
  insert into count_deltas (user_id, list_id, visibility, day, type, category, status, is_favourite, n)
  select user_id, user_id, visibility, local_time::date, type, category, status, is_favourite, tg_argv[0]::integer * count(*)
  from changed_rows where visibility <> 'removed' group by 1, 3, 4, 5, 6, 7, 8;
  return null;
end $$;

create function append_library_deltas_of_update() returns trigger language plpgsql as $$
begin
  insert into count_deltas (user_id, list_id, visibility, day, type, category, status, is_favourite, n)
  select user_id, user_id, visibility, local_time::date, type, category, status, is_favourite, sum(n)
  from (
    select user_id, visibility, local_time, type, category, status, is_favourite, 1 as n from new_rows
    union all
    select user_id, visibility, local_time, type, category, status, is_favourite, -1 from old_rows
  ) as changes
  where visibility <> 'removed' group by 1, 3, 4, 5, 6, 7, 8 having sum(n) <> 0;
  return null;
end $$;

create trigger media_items_counts_insert after insert on media_items
  referencing new table as changed_rows for each statement execute function append_library_deltas('1');
create trigger media_items_counts_update after update on media_items
  referencing new table as new_rows old table as old_rows for each statement execute function append_library_deltas_of_update();
create trigger media_items_counts_delete after delete on media_items
  referencing old table as changed_rows for each statement
  when (not is_removing_account()) execute function append_library_deltas('-1');

-- Nothing of a collection that is gone already, with its counts, or whose owner is being removed. Owners are looked up
-- one by one, which OFFSET makes sure of: the plan is kept, whether its first statement was of one row or of a million.
create function append_collection_deltas() returns trigger language plpgsql as $$
begin
  insert into count_deltas (user_id, list_id, visibility, day, n)
  select owner.id, collection_id, 'visible', month, tg_argv[0]::integer * n
  from (
    select collection_id, date_trunc('month', local_time) as month, count(*) as n
    from changed_rows where visibility = 'visible' group by 1, 2
  ) as changes
  cross join lateral (
    select users.id from collections join users on users.id = user_id
    where collections.id = collection_id and removing_at is null offset 0
  ) as owner;
  return null;
end $$;

create function append_collection_deltas_of_update() returns trigger language plpgsql as $$
begin
  insert into count_deltas (user_id, list_id, visibility, day, n)
  select owner.id, collection_id, 'visible', month, n
  from (
    select collection_id, date_trunc('month', local_time) as month, sum(n) as n from (
      select collection_id, visibility, local_time, 1 as n from new_rows
      union all
      select collection_id, visibility, local_time, -1 from old_rows
    ) as both_tables
    where visibility = 'visible' group by 1, 2 having sum(n) <> 0
  ) as changes
  cross join lateral (select user_id as id from collections where collections.id = collection_id offset 0) as owner;
  return null;
end $$;

create trigger collection_items_counts_insert after insert on collection_items
  referencing new table as changed_rows for each statement execute function append_collection_deltas('1');
create trigger collection_items_counts_update after update on collection_items
  referencing new table as new_rows old table as old_rows for each statement execute function append_collection_deltas_of_update();
create trigger collection_items_counts_delete after delete on collection_items
  referencing old table as changed_rows for each statement execute function append_collection_deltas('-1');

create function forget_counts_of_collections() returns trigger language plpgsql as $$
begin
  delete from counts where (user_id, list_id) in (select user_id, id from old_rows);
  return null;
end $$;

create trigger collections_counts_delete after delete on collections
  referencing old table as old_rows for each statement execute function forget_counts_of_collections();

-- For the housekeeper, which rolls up days into months.
create function add_days(integer[], integer[]) returns integer[] language sql immutable strict
return (select array_agg(one + other order by day) from unnest($1, $2) with ordinality as both_months (one, other, day));

create function add_to_day(days integer[], day date, n bigint) returns integer[] language plpgsql immutable as $$
begin
  days[extract(day from day)] := days[extract(day from day)] + n;
  return days;
end $$;

create aggregate counts_by_day(date, bigint) (
  sfunc = add_to_day, stype = integer[], initcond = '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}'
);
