-- How many visible items a user has in each month and on each day, in one row each, where counts has one for each kind of item. Kept by the
-- triggers below, whichever version of the housekeeper folds; those of a user who is deleted go with the user.
create table timeline_counts (
  user_id uuid not null references users on delete cascade,
  grain   text not null check (grain in ('month', 'day')),
  bucket  timestamp not null, -- begin of the month or day of local time
  n       integer not null,
  primary key (user_id, grain, bucket)
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);

-- Nobody may fold meanwhile, or what is copied would miss it.
lock table counts in share row exclusive mode;

insert into timeline_counts (user_id, grain, bucket, n)
select user_id, grain, bucket, sum(n) from counts
where grain in ('month', 'day') and visibility = 'visible'
group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3;

create function keep_timeline_counts_of_insert() returns trigger language plpgsql as $$
begin
  insert into timeline_counts as kept (user_id, grain, bucket, n)
  select user_id, grain, bucket, sum(n) from new_rows
  where grain in ('month', 'day') and visibility = 'visible'
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (user_id, grain, bucket) do update set n = kept.n + excluded.n;
  return null;
end $$;

create function keep_timeline_counts_of_update() returns trigger language plpgsql as $$
begin
  insert into timeline_counts as kept (user_id, grain, bucket, n)
  select user_id, grain, bucket, sum(n) from (
    select user_id, grain, bucket, visibility, n from new_rows
    union all
    select user_id, grain, bucket, visibility, -n from old_rows
  ) as changes
  where grain in ('month', 'day') and visibility = 'visible'
  group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3
  on conflict (user_id, grain, bucket) do update set n = kept.n + excluded.n;
  return null;
end $$;

create trigger counts_timeline_insert after insert on counts
  referencing new table as new_rows for each statement execute function keep_timeline_counts_of_insert();
create trigger counts_timeline_update after update on counts
  referencing new table as new_rows old table as old_rows for each statement execute function keep_timeline_counts_of_update();
