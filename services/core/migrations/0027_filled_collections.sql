-- How many visible items each collection of a user has, narrow and in one place, so that places, things and people without any are left out
-- of their lists, and the others counted, without a look at each one's items. Written by the housekeeper alone as it folds deltas; without a
-- foreign key, since whoever holds a collection's row would have to be waited for.
create table collection_totals (
  user_id       uuid not null,
  kind          text not null,
  collection_id uuid not null,
  n             integer not null,
  primary key (user_id, kind, collection_id)
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);

insert into collection_totals (user_id, kind, collection_id, n)
select user_id, kind, id, n from collection_counts join collections on id = collection_id where grain = 'all';

-- A user's collections of a kind that have a visible item, and how many. A function with its own settings, since the planner cannot know how
-- full collection_count_deltas is from one second to the next.
create function list_filled(for_user uuid, of_kind text) returns table (id uuid, n bigint) rows 1000 language plpgsql stable
set enable_seqscan = off set jit = off as $$
begin
  return query
    with waiting as materialized (
      select deltas.collection_id, sum(deltas.n) as n from collection_count_deltas as deltas group by 1
    )
    select collection_id, coalesce(kept.n, 0) + coalesce(waiting.n, 0)
    from (select * from collection_totals where user_id = for_user and kind = of_kind) as kept
    full join (
      select waiting.* from waiting join collections on collections.id = collection_id
      where collections.user_id = for_user and kind = of_kind
    ) as waiting using (collection_id)
    where coalesce(kept.n, 0) + coalesce(waiting.n, 0) > 0;
end $$;

drop function list_people(uuid, boolean, bigint, bigint);
