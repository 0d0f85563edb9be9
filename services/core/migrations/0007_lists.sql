-- Lists: functions that use counts to find a page deep in a list, see [Note: Kept counts].

-- Finds the start of a page in a counted list, newest item first. Exactly `item_offset` items precede the page: it
-- starts `skip` items after the newest item taken before `before`. `total` is the length of the list; if it does not
-- exceed the offset, `before` and `skip` are null. A running sum finds the month; in a library, a second one finds the
-- day. `since`, `until` and the filters limit the list; null filters match all items. Query planning would take longer
-- than execution, and the planner cannot know the changing size of count_deltas, so this is a function with a cached
-- generic plan.
create function find_page(
  for_user uuid, for_list uuid, in_visibility text, of_type text, of_category text, of_status text, of_favourite boolean,
  since date, until date, item_offset bigint
) returns table (total bigint, before timestamp, skip bigint) rows 1 language plpgsql stable
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    with kept as materialized (
      select month, n, days from counts
      where user_id = for_user and list_id = for_list and visibility = in_visibility and month >= since and month < until
        and (type is null) = (coalesce(of_type, of_category, of_status, of_favourite::text) is null)
        and (of_type is null or type = of_type) and (of_category is null or category = of_category)
        and (of_status is null or status = of_status) and (of_favourite is null or is_favourite = of_favourite)
    ), waiting as materialized (
      select day, sum(n) as n from count_deltas
      where user_id = for_user and list_id = for_list and visibility = in_visibility and day >= since and day < until
        and (of_type is null or type = of_type) and (of_category is null or category = of_category)
        and (of_status is null or status = of_status) and (of_favourite is null or is_favourite = of_favourite)
      group by 1
    ), months as (
      select month, sum(n) as n, sum(sum(n)) over (order by month desc) as reached from (
        select month, n from kept union all select date_trunc('month', day)::date, n from waiting
      ) as both_tables group by 1
    ), in_month as (
      select month, item_offset - (reached - n) as skip from months where reached > item_offset order by month desc limit 1
    ), days as (
      select day, sum(n) as n, sum(sum(n)) over (order by day desc) as reached from (
        select month + nth::integer - 1 as day, of_day as n
        from in_month join kept using (month) cross join unnest(kept.days) with ordinality as each_day (of_day, nth) where of_day <> 0
        union all
        select day, n from in_month join waiting on date_trunc('month', day) = month where for_list = for_user
      ) as both_tables group by 1
    ), in_day as (
      select day, in_month.skip - (reached - n) as skip from days cross join in_month where reached > in_month.skip
      order by day desc limit 1
    )
    select (select coalesce(sum(n), 0) from months)::bigint, coalesce(in_day.day + interval '1 day', in_month.month + interval '1 month'),
      coalesce(in_day.skip, in_month.skip)::bigint
    from (values (true)) as always left join in_month on true left join in_day on true;
end $$;

-- Returns a user's collections of one kind that have pending count changes, with their current number of items.
create function changed_collections(for_user uuid, of_kind text) returns table (id uuid, sort_name text, n bigint)
language sql stable as $$
  select collections.id, collections.sort_name, item_count + waiting.n
  from (
    select list_id, sum(count_deltas.n)::bigint as n from count_deltas where user_id = for_user and list_id <> for_user group by 1
  ) as waiting
  join collections on collections.id = list_id and kind = of_kind
$$;

-- Returns a page of a user's places or things with a visible item, by name, starting after a position. Every row has
-- the length of the whole list as `total`; an empty page is one row without an id. Collections are read in index order,
-- and only those with pending count changes are sorted. Settings as in find_page; a merge join would scan the
-- collections of all users.
create function list_named(for_user uuid, of_kind text, behind_name text, behind_id uuid, skip bigint, size integer)
returns table (id uuid, total bigint) rows 15 language plpgsql stable
set enable_seqscan = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    with changed as materialized (
      select * from changed_collections(for_user, of_kind)
    ), unchanged as not materialized (
      select kept.id, kept.sort_name from collections as kept
      where user_id = for_user and kind = of_kind and is_filled and kept.id not in (select changed.id from changed)
    ), counted as (
      select (select count(*) from unchanged) + (select count(*) from changed where n > 0) as n
    )
    select page.id, counted.n
    from counted left join (
      (
        select * from unchanged where (unchanged.sort_name, unchanged.id) > (behind_name, behind_id)
        order by unchanged.sort_name, unchanged.id limit skip + size
      )
      union all
      (select changed.id, changed.sort_name from changed where n > 0 and (changed.sort_name, changed.id) > (behind_name, behind_id))
      order by sort_name, id offset skip limit size
    ) as page on true
    order by page.sort_name, page.id;
end $$;

-- Returns a page of a user's people, either hidden or not, like list_named: named people by name, then unnamed people,
-- most items first. The position of an unnamed person begins with the number of items.
create function list_people(for_user uuid, of_hidden boolean, behind_name text, behind_n bigint, behind_created_at timestamptz,
  behind_id uuid, skip bigint, size integer)
returns table (id uuid, total bigint, n bigint) rows 15 language plpgsql stable
set enable_seqscan = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    with changed as materialized (
      select * from changed_collections(for_user, 'person')
    ), filled as (
      select kept.id, kept.item_count::bigint as n from collections as kept
      where user_id = for_user and kind = 'person' and is_filled and kept.id not in (select changed.id from changed)
      union all
      select changed.id, changed.n from changed where changed.n > 0
    ), listed as materialized (
      select people.id, people.sort_name, filled.n, people.created_at,
        -- Sort position of unnamed people; null for named ones.
        case when people.sort_name is null then filled.n end as unnamed_n,
        case when people.sort_name is null then people.created_at end as unnamed_at
      from filled join people on people.id = filled.id
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
