-- How many visible items a user has in each month and on each of its days, in one row, where counts has one for each day and kind of item: a
-- timeline of days reads as many rows as the library has months. Kept by the triggers below, whichever version of the housekeeper folds;
-- those of a user who is deleted go with the user.
create table timeline_months (
  user_id uuid not null references users on delete cascade,
  month   date not null check (extract(day from month) = 1), -- its first day, in local time
  n       integer not null,
  days    integer[] not null check (array_length(days, 1) = 31), -- the first is that of the first day
  primary key (user_id, month)
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);

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

-- Nobody may fold meanwhile, or what is copied would miss it.
lock table counts in share row exclusive mode;

insert into timeline_months (user_id, month, n, days)
select user_id, date_trunc('month', bucket), sum(n), counts_by_day(extract(day from bucket)::integer, n) from counts
where grain = 'day' and visibility = 'visible' group by 1, 2 order by 1, 2;

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
