-- Counts: the number of items per library and collection, used for page numbers, the timeline, and jumps deep into a
-- list.

-- [Note: Kept counts] Reading a list never counts its items. Triggers append the changes of each statement to
-- count_deltas, the housekeeper adds them to counts, and readers sum up both tables. Two kinds of lists have counts:
-- the library of a user, by month, day and filter columns, and the user's collections, by month and for visible items
-- only.

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
  -- Ends with the month, so that the months of one list and filter are adjacent.
  unique nulls not distinct (user_id, list_id, visibility, type, category, status, is_favourite, month),
  check ((days is null) = (list_id <> user_id))
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);
comment on table counts is 'Derived: number of items per list and month, without the pending changes in count_deltas.';
comment on column counts.user_id is 'Owner of the list.';
comment on column counts.list_id is 'User id for the library, or the id of a collection.';
comment on column counts.visibility is 'List of the library that shows the items; always ''visible'' for collections.';
comment on column counts.month is 'First day of the month of capture, in local time.';
comment on column counts.type is
  'Type of the counted items. Null, together with category, status and is_favourite, in the total of a month over all items; a collection '
  'has only totals.';
comment on column counts.category is 'Category of the counted items; null in totals.';
comment on column counts.status is 'Status of the counted items; null in totals.';
comment on column counts.is_favourite is 'True if the counted items are favourites; null in totals.';
comment on column counts.n is 'Number of items, without the pending changes in count_deltas.';
comment on column counts.days is 'Number of items on each day of the month: 31 elements, day 1 first. Null for collections.';

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
  -- Starts with the owner, so that a query reads only pending changes of that user's list.
  primary key (user_id, list_id, id)
) with (autovacuum_vacuum_scale_factor = 0.1);
comment on table count_deltas is 'Derived: pending changes of counts. Rows are only appended, so that writers never wait for each other.';
comment on column count_deltas.id is 'Number of the row, in insertion order.';
comment on column count_deltas.user_id is 'Owner of the changed list.';
comment on column count_deltas.list_id is 'User id for the library, or the id of a collection.';
comment on column count_deltas.visibility is 'List of the library that shows the items; always ''visible'' for collections.';
comment on column count_deltas.day is 'Local day of the items; for collections the first day of the month.';
comment on column count_deltas.type is 'Type of the items; null for collections.';
comment on column count_deltas.category is 'Category of the items; null for collections.';
comment on column count_deltas.status is 'Status of the items; null for collections.';
comment on column count_deltas.is_favourite is 'True if the items are favourites; null for collections.';
comment on column count_deltas.n is 'Number of items added; negative for removed items.';

-- Statement-level triggers: an import with one INSERT appends one row per day and combination of filter columns.
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

-- Skips collections that are already deleted (their counts are deleted with them) and owners who are being removed.
-- OFFSET prevents a join: PostgreSQL caches the plan of the first statement, and one lookup per collection suits both a
-- single row and a million.
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

-- Used by the housekeeper to add the counts of days.
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
