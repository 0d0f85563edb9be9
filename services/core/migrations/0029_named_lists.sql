-- list_named_places, list_named_things: a page of a user's places or things that have a visible item, by name without regard to case, each
-- with how many there are; one row without an id where there is none on the page. They walk the index by name, and do not sort all.
-- Functions with their own settings, since the planner cannot know how full collection_count_deltas is from one second to the next; with one
-- plan for all values, since to plan takes as long as to read a page, and a plan for the values of one page is no better.
do $do$
declare
  kind text;
begin
  foreach kind in array array['place', 'thing'] loop
    execute format($create$
      create function %1$I(for_user uuid, skip bigint, size integer) returns table (id uuid, total bigint) rows 15 language plpgsql stable
      set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
      begin
        return query
          with waiting as materialized (
            select deltas.collection_id, sum(deltas.n) as n from collection_count_deltas as deltas group by 1
          ), changed as materialized (
            select waiting.collection_id, coalesce(kept.n, 0) > 0 as was_shown, coalesce(kept.n, 0) + waiting.n > 0 as is_shown
            from waiting
            join collections on collections.id = waiting.collection_id
            left join collection_totals as kept
              on kept.user_id = for_user and kept.kind = %3$L and kept.collection_id = waiting.collection_id
            where collections.user_id = for_user and collections.kind = %3$L
          ), counted as (
            select count(*) + (select count(*) filter (where is_shown) - count(*) filter (where was_shown) from changed) as n
            from collection_totals as kept where kept.user_id = for_user and kept.kind = %3$L and kept.n > 0
          )
          select page.id, counted.n
          from counted left join (
            select named.id, lower(named.name) as folded from %2$I as named
            where named.user_id = for_user and case
              when named.id in (select changed.collection_id from changed)
                then named.id in (select changed.collection_id from changed where is_shown)
              else exists (
                select from collection_totals as kept
                where kept.user_id = for_user and kept.kind = %3$L and kept.collection_id = named.id and kept.n > 0)
            end
            order by lower(named.name), named.id offset skip limit size
          ) as page on true
          order by page.folded, page.id;
      end $$
    $create$, 'list_named_' || kind || 's', kind || 's', kind);
  end loop;
end $do$;

alter function list_filled set plan_cache_mode = force_generic_plan;
alter function find_page set plan_cache_mode = force_generic_plan;
alter function find_collection_page set plan_cache_mode = force_generic_plan;
