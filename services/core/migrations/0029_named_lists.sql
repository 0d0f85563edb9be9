-- list_named_places, list_named_things: a page of a user's places or things that have a visible item, by name without regard to case, each
-- with how many there are; one row without an id where there is none on the page. They walk the totals by name, and sort none but those
-- whose total changes.
-- list_people: the same of a user's people, hidden or not: those with a name by it, then the others, most items first.
-- Functions with their own settings, since the planner cannot know how full collection_count_deltas is from one second to the next; with one
-- plan for all values, since to plan takes as long as to read a page, and a plan for the values of one page is no better. A merge would walk
-- through the places, things or people of all users.
do $do$
declare
  changed constant text := $sql$
    waiting as materialized (
      select deltas.collection_id, sum(deltas.n) as n from collection_count_deltas as deltas group by 1
    ), changed as materialized (
      select waiting.collection_id, coalesce(kept.n, 0) + waiting.n as n
      from waiting
      join collections on collections.id = waiting.collection_id
      left join collection_totals as kept
        on kept.user_id = for_user and kept.kind = %1$L and kept.collection_id = waiting.collection_id
      where collections.user_id = for_user and collections.kind = %1$L
    )$sql$;
  kind text;
begin
  foreach kind in array array['place', 'thing'] loop
    execute format($create$
      create function %1$I(for_user uuid, skip bigint, size integer) returns table (id uuid, total bigint) rows 15 language plpgsql stable
      set enable_seqscan = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
      begin
        return query
          with %2$s, counted as (
            select count(*) + (select count(*) from changed where n > 0) as n
            from collection_totals as kept
            where kept.user_id = for_user and kept.kind = %3$L and kept.is_filled
              and kept.collection_id not in (select collection_id from changed)
          )
          select page.collection_id, counted.n
          from counted left join (
            (
              select kept.collection_id, kept.sort_name from collection_totals as kept
              where kept.user_id = for_user and kept.kind = %3$L and kept.is_filled
                and kept.collection_id not in (select collection_id from changed)
              order by kept.sort_name, kept.collection_id limit skip + size
            )
            union all
            select changed.collection_id, lower(named.name) from changed join %4$I as named on named.id = changed.collection_id
            where changed.n > 0
            order by sort_name, collection_id offset skip limit size
          ) as page on true
          order by page.sort_name, page.collection_id;
      end $$
    $create$, 'list_named_' || kind || 's', format(changed, kind), kind, kind || 's');
  end loop;
  execute format($create$
    create function list_people(for_user uuid, of_hidden boolean, skip bigint, size integer) returns table (id uuid, total bigint)
    rows 15 language plpgsql stable
    set enable_seqscan = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
    begin
      return query
        with %1$s, filled as (
          select kept.collection_id, kept.n from collection_totals as kept
          where kept.user_id = for_user and kept.kind = 'person' and kept.is_filled
            and kept.collection_id not in (select collection_id from changed)
          union all
          select changed.collection_id, changed.n from changed where changed.n > 0
        ), listed as materialized (
          select people.id, lower(people.name) as sort_name, filled.n, people.created_at
          from filled join people on people.id = filled.collection_id
          where people.user_id = for_user and people.is_hidden = of_hidden
        )
        select page.id, counted.n
        from (select count(*) as n from listed) as counted left join (
          select * from listed order by sort_name, n desc, created_at desc, id offset skip limit size
        ) as page on true
        order by page.sort_name, page.n desc, page.created_at desc, page.id;
    end $$
  $create$, format(changed, 'person'));
end $do$;

alter function find_page set plan_cache_mode = force_generic_plan;
alter function find_collection_page set plan_cache_mode = force_generic_plan;
