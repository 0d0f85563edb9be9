-- Favourites are listed, counted and jumped into as all other items are.

create index media_items_favourites on media_items (user_id, local_time desc, id desc) where visibility = 'visible' and is_favourite;

-- As before, with one more condition; processes of the version before call it without.
drop function find_jump(uuid, text, text, text, text, bigint);
create function find_jump(
  for_user uuid, in_visibility text, of_type text, of_category text, of_status text, item_offset bigint,
  of_favourite boolean default null
) returns table (total bigint, before timestamp, skip bigint) rows 1 language plpgsql stable
-- The planner cannot know how full count_deltas is from one second to the next. Bitmaps and hashes are right at every size.
set enable_seqscan = off set enable_indexscan = off set enable_sort = off set jit = off as $$
declare
  span text;
  begins_at timestamp := '-infinity';
  kept record;
  is_found boolean;
begin
  total := 0;
  before := 'infinity';
  skip := item_offset;
  foreach span in array array['year', 'month', 'day', 'hour'] loop
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
      if span = 'year' then total := total + kept.n; end if;
      continue when is_found;
      is_found := skip < kept.n;
      if is_found then begins_at := kept.bucket; else skip := skip - kept.n; end if;
    end loop;
    if not is_found then return; end if;
    before := begins_at + ('1 ' || span)::interval;
  end loop;
  return next;
end $$;
