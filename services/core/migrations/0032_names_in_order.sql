-- [Note: Names in order] Names are sorted as people do: Ä beside A, 2 before 10, without regard to case first. By a key that is made when a name is
-- written and compared byte by byte, so that the order is the same on every server, with ICU or without, whatever its locale, and no update of
-- a library of the system can break an index. Only functions of PostgreSQL that depend on no locale are used, and by no other function of ours,
-- since dumps are restored with an empty search_path.
-- The key: the name with its letters decomposed, accents away, and in lower case; then the name itself, which tells apart what differs in
-- accents and case alone. 0001 stands between: below whatever a name may hold. Each number, without zeros in front, has the count of its digits
-- before it, of more than eight in nines and a rest: 7 is 17, 10 is 210, and one of ten digits begins with 91.
create function sort_key_of(name text) returns text language sql immutable strict parallel safe as $$
  select left(string_agg(
      part[1] || case when part[2] = '' then '' else repeat('9', length(digits) / 9) || length(digits) % 9 || digits end, '' order by nth), 255)
    || chr(1) || left(name, 255)
  from (
    select lower(translate(translate(
        replace(replace(replace(replace(replace(replace(replace(replace(
          regexp_replace(normalize(name, nfkd) collate "C", '[\u0300-\u036f\ufe00-\ufe0f]', '', 'g'),
          'ß', 'ss'), 'ẞ', 'ss'), 'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe'), 'Þ', 'th'), 'þ', 'th'),
        -- Latin letters that do not decompose; Greek, Cyrillic and Armenian capitals.
        'ØøĐđÐðĦħıŁłŊŋŦŧƏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς' || 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐӘҒҚҢӨҰҮҺ' || 'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
        'ooddddhhillnnttəαβγδεζηθικλμνξοπρστυφχψωσ' || 'абвгдежзийклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґәғқңөұүһ' || 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'),
        '‘’‚‛“”„‟«»‹›‐‒–—―−¡¿', '''''''''""""""''''------!?') collate "C") as folded
  ) as words
  cross join lateral regexp_matches(folded, '([^0-9]*)([0-9]*)', 'g') with ordinality as found (part, nth)
  cross join lateral (select coalesce(nullif(ltrim(part[2], '0'), ''), '0') as digits) as number
$$;

alter table users add column sort_name text collate "C" not null generated always as (sort_key_of(name)) stored;
alter table albums add column sort_name text collate "C" not null generated always as (sort_key_of(name)) stored;
alter table places add column sort_name text collate "C" not null
  generated always as (sort_key_of(coalesce(town, city, state, country))) stored;
alter table things add column sort_name text collate "C" not null generated always as (sort_key_of(name)) stored;
alter table people add column sort_name text collate "C" generated always as (sort_key_of(name)) stored;

drop index albums_by_name, places_by_name, things_by_name, collection_totals_by_name;
create index users_by_name on users (sort_name, id) where removing_at is null;
create index albums_by_name on albums (user_id, is_hidden, sort_name, id);
create index places_by_name on places (user_id, sort_name, id);
create index things_by_name on things (user_id, sort_name, id);

alter table collection_totals alter column sort_name type text collate "C";
update collection_totals set sort_name = places.sort_name from places where kind = 'place' and id = collection_id;
update collection_totals set sort_name = things.sort_name from things where kind = 'thing' and id = collection_id;
create index collection_totals_by_name on collection_totals (user_id, kind, sort_name, collection_id) where is_filled;

create or replace function name_collection_total() returns trigger language plpgsql as $$
begin
  if new.kind = 'place' then
    new.sort_name := (select sort_name from places where id = new.collection_id);
  elsif new.kind = 'thing' then
    new.sort_name := (select sort_name from things where id = new.collection_id);
  end if;
  return new;
end $$;

-- As before, and behind a position in the list, so that whoever walks it by positions meets each once, whatever comes and goes meanwhile.
-- People without a name come last, most items first; their names are null, and their position begins with how many items.
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
      create function %1$I(for_user uuid, behind_name text, behind_id uuid, skip bigint, size integer)
      returns table (id uuid, total bigint) rows 15 language plpgsql stable
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
                and (kept.sort_name, kept.collection_id) > (behind_name, behind_id)
                and kept.collection_id not in (select collection_id from changed)
              order by kept.sort_name, kept.collection_id limit skip + size
            )
            union all
            select changed.collection_id, named.sort_name from changed join %4$I as named on named.id = changed.collection_id
            where changed.n > 0 and (named.sort_name, named.id) > (behind_name, behind_id)
            order by sort_name, collection_id offset skip limit size
          ) as page on true
          order by page.sort_name, page.collection_id;
      end $$
    $create$, 'list_named_' || kind || 's', format(changed, kind), kind, kind || 's');
    -- For replicas of the version before, while they run beside.
    execute format($create$
      create or replace function %1$I(for_user uuid, skip bigint, size integer) returns table (id uuid, total bigint)
      rows 15 language sql stable as $$
        select * from %1$I(for_user, '', '00000000-0000-0000-0000-000000000000', skip, size)
      $$
    $create$, 'list_named_' || kind || 's');
  end loop;
  execute format($create$
    create function list_people(for_user uuid, of_hidden boolean, behind_name text, behind_n bigint, behind_created_at timestamptz,
      behind_id uuid, skip bigint, size integer)
    returns table (id uuid, total bigint, n bigint) rows 15 language plpgsql stable
    set enable_seqscan = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
    begin
      return query
        with %1$s, filled as (
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
    end $$
  $create$, format(changed, 'person'));
  create or replace function list_people(for_user uuid, of_hidden boolean, skip bigint, size integer)
  returns table (id uuid, total bigint) rows 15 language sql stable as $$
    select listed.id, listed.total
    from list_people(for_user, of_hidden, '', null, null, '00000000-0000-0000-0000-000000000000', skip, size) as listed
  $$;
end $do$;
