-- Generated from the migrations by npm run docs:schema. Sorted by name, so it cannot be executed.

CREATE OR REPLACE FUNCTION public.add_days(integer[], integer[])
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE STRICT
RETURN (SELECT array_agg((both_months.one + both_months.other) ORDER BY both_months.day) AS array_agg FROM UNNEST($1, $2) WITH ORDINALITY both_months(one, other, day))
;

CREATE OR REPLACE FUNCTION public.add_to_day(days integer[], day date, n bigint)
 RETURNS integer[]
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  days[extract(day from day)] := days[extract(day from day)] + n;
  return days;
end $function$
;

CREATE OR REPLACE FUNCTION public.append_collection_deltas()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.append_collection_deltas_of_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.append_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into events (user_id, kind, subject_id, change)
  select user_id, 'mediaItem', id, tg_argv[0] from changed_rows
  where visibility <> 'removed' and exists (select from users where users.id = user_id);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.append_events_of_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into events (user_id, kind, subject_id, change)
      select item.user_id, 'mediaItem', id, case item.visibility when 'removed' then 'removed' else 'updated' end
      from new_rows as item join old_rows as was using (id)
      where (item.visibility <> 'removed' or was.visibility <> 'removed')
        and (item.user_id, item.filename, item.description, item.mime_type, item.size_bytes, item.type, item.category, item.status, item.is_favourite, item.is_hidden, item.deleted_at, item.taken_at, item.local_time, item.utc_offset_minutes, item.width_px, item.height_px, item.latitude, item.longitude, item.camera_make, item.camera_model, item.focal_length_mm, item.aperture_f_number, item.iso_equivalent, item.exposure_time_s, item.fps, item.duration_s, item.placeholder, item.preview_key, item.thumbnail_key, item.poster_key, item.probed_fps, item.probed_duration_s, item.motion_key, item.visibility)
        is distinct from (was.user_id, was.filename, was.description, was.mime_type, was.size_bytes, was.type, was.category, was.status, was.is_favourite, was.is_hidden, was.deleted_at, was.taken_at, was.local_time, was.utc_offset_minutes, was.width_px, was.height_px, was.latitude, was.longitude, was.camera_make, was.camera_model, was.focal_length_mm, was.aperture_f_number, was.iso_equivalent, was.exposure_time_s, was.fps, was.duration_s, was.placeholder, was.preview_key, was.thumbnail_key, was.poster_key, was.probed_fps, was.probed_duration_s, was.motion_key, was.visibility);
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.append_library_deltas()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into count_deltas (user_id, list_id, visibility, day, type, category, status, is_favourite, n)
  select user_id, user_id, visibility, local_time::date, type, category, status, is_favourite, tg_argv[0]::integer * count(*)
  from changed_rows where visibility <> 'removed' group by 1, 3, 4, 5, 6, 7, 8;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.append_library_deltas_of_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.append_map_deltas()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' and old.visibility = 'visible' and old.latitude is not null and old.longitude is not null then
    insert into map_deltas (user_id, cell, n, latitude_e7, longitude_e7)
    values (old.user_id, map_cell(old.latitude, old.longitude), -1, -round(old.latitude * 1e7), -round(old.longitude * 1e7));
  end if;
  if tg_op <> 'DELETE' and new.visibility = 'visible' and new.latitude is not null and new.longitude is not null then
    insert into map_deltas (user_id, cell, n, latitude_e7, longitude_e7)
    values (new.user_id, map_cell(new.latitude, new.longitude), 1, round(new.latitude * 1e7), round(new.longitude * 1e7));
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.append_storage_deltas()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into user_storage_deltas (user_id, bytes)
  select user_id, tg_argv[0]::integer * sum(size_bytes) from changed_rows group by user_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.camera_key(make text, model text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN "left"(((COALESCE(make, ''::text) || ' '::text) || COALESCE(model, ''::text)), 255)
;

CREATE OR REPLACE FUNCTION public.changed_collections(for_user uuid, of_kind text)
 RETURNS TABLE(id uuid, sort_name text, n bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select collections.id, collections.sort_name, item_count + waiting.n
  from (
    select list_id, sum(count_deltas.n)::bigint as n from count_deltas where user_id = for_user and list_id <> for_user group by 1
  ) as waiting
  join collections on collections.id = list_id and kind = of_kind
$function$
;

CREATE OR REPLACE FUNCTION public.count_duplicates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    perform join_duplicates(new);
  elsif tg_op = 'DELETE' then
    perform lock_duplicates(old.user_id);
    perform leave_duplicates(old);
    if old.is_centre then
      update picture_hashes set is_centre = true where media_item_id = (
        select media_item_id from picture_hashes where group_id = old.group_id and not is_centre order by media_item_id limit 1);
    end if;
  elsif old.group_id <> new.group_id then
    perform leave_duplicates(old);
    perform join_duplicates(new);
  else
    update duplicate_groups set
      item_count = item_count + (new.visibility = 'visible')::integer - (old.visibility = 'visible')::integer,
      trashed_count = trashed_count + new.is_set_aside::integer - old.is_set_aside::integer,
      revision = case
        when new.visibility = 'visible' and old.visibility <> 'visible' then nextval('duplicate_group_revisions')
        else revision end
    where id = new.group_id;
  end if;
  return null;
end $function$
;

create aggregate counts_by_day(date,bigint) (
  sfunc = add_to_day,
  stype = integer[],
  initcond = '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}'
);

CREATE OR REPLACE FUNCTION public.delete_events_of_users()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from events where user_id in (select id from old_rows);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.delete_search_postings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from search_postings as posting
  using old_rows as gone cross join lateral unnest(gone.word_ids) as gone_id
  where gone.is_listed and posting.word_id = gone_id and posting.local_time = gone.local_time
    and posting.media_item_id = gone.media_item_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.duplicate_score(item media_items, sharpness real)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((((((((item).motion_item_id IS NOT NULL) OR ((item).category = 'MOTION'::text) OR ((item).mime_type ~~ 'image/x-%'::text)))::integer)::bigint << 52) | (LEAST((COALESCE((((item).width_px)::bigint * (item).height_px), (0)::bigint) >> 12), (1048575)::bigint) << 32)) | ((LEAST(round((((item).size_bytes)::double precision * (GREATEST(sharpness, (0)::real))::double precision)), (1073741823)::double precision))::bigint << 2)) | ((((item).is_favourite)::integer << 1))::bigint) | (((COALESCE((item).description, ''::text) <> ''::text))::integer)::bigint)
;

CREATE OR REPLACE FUNCTION public.embedding_numbers_of(embedding bytea)
 RETURNS real[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT array_agg((((CASE WHEN (halves.bits >= 32768) THEN '-1'::integer ELSE 1 END)::double precision * CASE WHEN (((halves.bits >> 10) & 31) = 0) THEN (((halves.bits & 1023))::double precision * ((2.0)::double precision ^ ('-24'::integer)::double precision)) ELSE (((1024 + (halves.bits & 1023)))::double precision * ((2.0)::double precision ^ ((((halves.bits >> 10) & 31) - 25))::double precision)) END))::real ORDER BY halves.n) AS array_agg FROM (SELECT n.n, (get_byte(embedding_numbers_of.embedding, (2 * n.n)) + (256 * get_byte(embedding_numbers_of.embedding, ((2 * n.n) + 1)))) AS bits FROM generate_series(0, ((length(embedding_numbers_of.embedding) / 2) - 1)) n(n)) halves)
;

CREATE OR REPLACE FUNCTION public.embedding_signature_of(embedding bytea)
 RETURNS bit
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT (string_agg(((1 - get_bit(embedding_signature_of.embedding, (((16 * n.n) + 15))::bigint)))::text, ''::text ORDER BY n.n))::bit(512) AS string_agg FROM generate_series(0, 511) n(n))
;

CREATE OR REPLACE FUNCTION public.find_page(for_user uuid, for_list uuid, in_visibility text, of_type text, of_category text, of_status text, of_favourite boolean, since date, until date, item_offset bigint)
 RETURNS TABLE(total bigint, before timestamp without time zone, skip bigint)
 LANGUAGE plpgsql
 STABLE ROWS 1
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.find_read_words(content text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  -- Limits the words of a full page: nearly every joined word adds a row to search_words.
  most_joined constant integer := 100;
  line text;
  parts text[];
  joined text[] := '{}';
begin
  foreach line in array regexp_split_to_array(content, '\n') loop
    parts := split_search_words(line);
    for i in 2..cardinality(parts) loop
      exit when cardinality(joined) >= most_joined;
      if length(parts[i - 1]) > 1 and length(parts[i]) > 1 then joined := joined || left(parts[i - 1] || parts[i], 40); end if;
    end loop;
  end loop;
  return find_search_words(content) || joined || case when content ~ '[[:lower:]]{2}B' then
    find_search_words(regexp_replace(content, '(?<=[[:lower:]]{2})B', 'ß', 'g')) else '{}' end;
end $function$
;

CREATE OR REPLACE FUNCTION public.find_search_edits(owner uuid, word text)
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  seed constant bigint := uuid_hash_extended(owner, 0);
  beginning constant text := left(word, 7);
  once text;
  edits bigint[] := array[hashtextextended(beginning collate "C", seed)];
begin
  if length(word) < 3 or length(word) > 24 or word ~ '[0-9]' then return '{}'; end if;
  for i in 1..length(beginning) loop
    once := left(beginning, i - 1) || substr(beginning, i + 1);
    edits := edits || hashtextextended(once collate "C", seed);
    continue when length(word) < 6;
    for j in i..length(once) loop
      edits := edits || hashtextextended((left(once, j - 1) || substr(once, j + 1)) collate "C", seed);
    end loop;
  end loop;
  return array(select distinct edit from unnest(edits) as edit);
end $function$
;

CREATE OR REPLACE FUNCTION public.find_search_words(content text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  word text;
  digits text;
  words text[] := '{}';
begin
  foreach word in array split_search_words(content) loop
    words := words || left(word, 40);
    digits := substring(word from '^[a-z]*([0-9]{2,})$');
    if digits <> word then words := words || left(word, length(word) - length(digits)) || left(digits, 40); end if;
    if digits like '0%' and digits ~ '[1-9]' then words := words || left(ltrim(digits, '0'), 40); end if;
  end loop;
  return words;
end $function$
;

CREATE OR REPLACE FUNCTION public.fold_search_text(content text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN (content ~ '[^\u0001-\u007f]'::text) THEN lower(translate(replace(replace(replace(replace(translate(regexp_replace(NORMALIZE(content, NFKD), '[\u0300-\u036f\ufe00-\ufe0f]'::text, ''::text, 'g'::text), 'ØøŁłĐđÐðĦħıŦŧ’'::text, 'OoLlDdDdHhiTt'''::text), 'ß'::text, 'ss'::text), 'Æ'::text, 'ae'::text), 'æ'::text, 'ae'::text), 'œ'::text, 'oe'::text), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'::text, 'abcdefghijklmnopqrstuvwxyz'::text)) ELSE lower((content COLLATE "C")) END
;

CREATE OR REPLACE FUNCTION public.follow_media_item()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update collection_items
  set local_time = new.local_time, visibility = new.visibility, is_ready = new.status = 'READY'
  where media_item_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.follow_media_item_embeddings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update embedding_signatures set visibility = new.visibility where media_item_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.follow_media_item_faces()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update faces set visibility = new.visibility where media_item_id = new.id and visibility <> 'missed';
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.follow_picture_hash()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from picture_hashes where media_item_id = new.id) then
    perform lock_duplicates(new.user_id);
    update picture_hashes set visibility = new.visibility,
      is_set_aside = new.visibility = 'trash' and (is_set_aside or is_reviewing_duplicates()),
      score = duplicate_score(new, sharpness)
    where media_item_id = new.id;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.forget_counts_of_collections()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from counts where (user_id, list_id) in (select user_id, id from old_rows);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.free_duplicate_group(id uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN CASE WHEN (SELECT true FROM picture_hashes WHERE (picture_hashes.group_id = free_duplicate_group.id) ORDER BY picture_hashes.group_id, picture_hashes.is_centre, picture_hashes.media_item_id LIMIT 1) THEN gen_random_uuid() ELSE id END
;

CREATE OR REPLACE FUNCTION public.has_long_number(content text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (content ~ '[0-9](.*[0-9]){5}'::text)
;

CREATE OR REPLACE FUNCTION public.is_removing_account()
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (COALESCE(current_setting('hearth.is_removing_account'::text, true), ''::text) = 'on'::text)
;

CREATE OR REPLACE FUNCTION public.is_reviewing_duplicates()
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (COALESCE(current_setting('hearth.is_reviewing_duplicates'::text, true), ''::text) = 'on'::text)
;

CREATE OR REPLACE FUNCTION public.join_duplicates(joined picture_hashes)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update duplicate_groups set member_count = member_count + 1,
    item_count = item_count + (joined.visibility = 'visible')::integer,
    trashed_count = trashed_count + joined.is_set_aside::integer,
    reviewed_at = case when joined.visibility <> 'visible' then reviewed_at end,
    revision = case when joined.visibility = 'visible' then nextval('duplicate_group_revisions') else revision end
  where id = joined.group_id;
  if not found then
    insert into duplicate_groups (id, user_id, member_count, item_count, trashed_count)
    select group_id, user_id, count(*), count(*) filter (where visibility = 'visible'), count(*) filter (where is_set_aside)
    from (
      select * from picture_hashes where group_id = joined.group_id order by group_id, is_centre, media_item_id limit 2) as photos
    group by group_id, user_id having count(*) = 2;
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION public.leave_duplicates(gone picture_hashes)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update duplicate_groups set member_count = member_count - 1,
    item_count = item_count - (gone.visibility = 'visible')::integer,
    trashed_count = trashed_count - gone.is_set_aside::integer
  where id = gone.group_id;
  delete from duplicate_groups where id = gone.group_id and member_count = 1;
end $function$
;

CREATE OR REPLACE FUNCTION public.list_named(for_user uuid, of_kind text, behind_name text, behind_id uuid, skip bigint, size integer)
 RETURNS TABLE(id uuid, total bigint)
 LANGUAGE plpgsql
 STABLE ROWS 15
 SET enable_seqscan TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.list_people(for_user uuid, of_hidden boolean, behind_name text, behind_n bigint, behind_created_at timestamp with time zone, behind_id uuid, skip bigint, size integer)
 RETURNS TABLE(id uuid, total bigint, n bigint)
 LANGUAGE plpgsql
 STABLE ROWS 15
 SET enable_seqscan TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.lock_duplicates(user_id uuid)
 RETURNS void
 LANGUAGE sql
BEGIN ATOMIC
 SELECT pg_advisory_xact_lock(7301950, hashtext((user_id)::text)) AS pg_advisory_xact_lock;
END
;

CREATE OR REPLACE FUNCTION public.make_collection()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into collections (id, user_id, kind, sort_name)
  values (new.id, new.user_id, tg_argv[0], case when tg_argv[0] <> 'person' then new.sort_name end);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.map_cell(latitude double precision, longitude double precision)
 RETURNS bigint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  x bigint := greatest(0, least(4194303, floor((longitude + 180) / 360 * 4194304)));
  y bigint := greatest(0, least(2097151, floor((latitude + 90) / 360 * 4194304)));
begin
  x := (x | (x << 16)) & 281470681808895;
  x := (x | (x << 8)) & 71777214294589695;
  x := (x | (x << 4)) & 1085102592571150095;
  x := (x | (x << 2)) & 3689348814741910323;
  x := (x | (x << 1)) & 6148914691236517205;
  y := (y | (y << 16)) & 281470681808895;
  y := (y | (y << 8)) & 71777214294589695;
  y := (y | (y << 4)) & 1085102592571150095;
  y := (y | (y << 2)) & 3689348814741910323;
  y := (y | (y << 1)) & 6148914691236517205;
  return x | (y << 1);
end $function$
;

CREATE OR REPLACE FUNCTION public.move_search_postings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kept media_item_words;
begin
  select * into kept from media_item_words where media_item_id = new.id;
  if kept.is_listed then
    delete from search_postings
    where word_id = any(kept.word_ids) and local_time = kept.local_time and media_item_id = new.id;
  end if;
  if new.visibility = 'visible' then
    insert into search_postings (word_id, local_time, media_item_id)
    select word_id, new.local_time, new.id from unnest(kept.word_ids) as word_id;
  end if;
  update media_item_words set local_time = new.local_time, is_listed = new.visibility = 'visible' where media_item_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.put_item_into_place()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    delete from collection_items where collection_id = old.place_id and media_item_id = old.media_item_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into collection_items (collection_id, media_item_id, local_time, visibility)
    select new.place_id, id, local_time, visibility from media_items where id = new.media_item_id
    on conflict do nothing;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.sort_key_of(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select left(string_agg(
      part[1] || case when part[2] = '' then '' else repeat('9', length(digits) / 9) || length(digits) % 9 || digits end, '' order by nth), 255)
    || chr(1) || left(name, 255)
  from (
    select lower(translate(translate(
        replace(replace(replace(replace(replace(replace(replace(replace(
          regexp_replace(normalize(name, nfkd) collate "C", '[\u0300-\u036f\ufe00-\ufe0f]', '', 'g'),
          'ß', 'ss'), 'ẞ', 'ss'), 'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe'), 'Þ', 'th'), 'þ', 'th'),
        -- Latin letters without a decomposition; capitals of Greek, Cyrillic and Armenian.
        'ØøĐđÐðĦħıŁłŊŋŦŧƏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς' || 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐӘҒҚҢӨҰҮҺ' || 'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
        'ooddddhhillnnttəαβγδεζηθικλμνξοπρστυφχψωσ' || 'абвгдежзийклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґәғқңөұүһ' || 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'),
        '‘’‚‛“”„‟«»‹›‐‒–—―−¡¿', '''''''''""""""''''------!?') collate "C") as folded
  ) as words
  cross join lateral regexp_matches(folded, '([^0-9]*)([0-9]*)', 'g') with ordinality as found (part, nth)
  cross join lateral (select coalesce(nullif(ltrim(part[2], '0'), ''), '0') as digits) as number
$function$
;

CREATE OR REPLACE FUNCTION public.split_search_words(content text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  folded text := regexp_replace(fold_search_text(content), '''s(?![a-z0-9])', '', 'g');
begin
  if folded ~ '[^\u0001-\u007f]' then
    folded := regexp_replace(folded,
      '([\u2e80-\u2fdf\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g');
    folded := regexp_replace(folded,
      '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u2bff\u2e00-\u2e7f\u3000-\u303f\ufe30-\ufe6f\uff00-\uff0f\ufff0-\uffff]+',
      ' ', 'g');
  else
    folded := regexp_replace(folded, '[^a-z0-9]+', ' ', 'g');
  end if;
  folded := trim(both ' ' from folded);
  return case when folded = '' then '{}' else regexp_split_to_array(folded, ' +') end;
end $function$
;

CREATE OR REPLACE FUNCTION public.write_append_events_of_update()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  unseen constant text[] := array['id', 'created_at', 'updated_at', 'checksum', 'client_taken_at', 'client_utc_offset_minutes',
    'content_identifier', 'motion_item_id', 'unpaired_category', 'shared_video_key', 'preview_bytes', 'thumbnail_bytes', 'poster_bytes',
    'motion_bytes', 'shared_video_bytes',
    -- Changes of these two also change visibility, which is compared.
    'removing_at', 'is_motion_half'];
  seen text[];
begin
  select array_agg(quote_ident(attname) order by attnum) into seen from pg_attribute
  where attrelid = 'media_items'::regclass and attnum > 0 and not attisdropped and attname <> all (unseen);
  execute format($create$
    create or replace function append_events_of_update() returns trigger language plpgsql as $$
    begin
      insert into events (user_id, kind, subject_id, change)
      select item.user_id, 'mediaItem', id, case item.visibility when 'removed' then 'removed' else 'updated' end
      from new_rows as item join old_rows as was using (id)
      where (item.visibility <> 'removed' or was.visibility <> 'removed')
        and (item.%s)
        is distinct from (was.%s);
      return null;
    end $$
  $create$, array_to_string(seen, ', item.'), array_to_string(seen, ', was.'));
end $function$
;

CREATE OR REPLACE FUNCTION public.write_collection_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then delete from search_words where collection_id = new.id; end if;
  insert into search_words (user_id, field, word, collection_id, edits)
  select distinct new.user_id, tg_argv[0], word, new.id, find_search_edits(new.user_id, word)
  from unnest(find_search_words(concat_ws(' ', new.name, to_jsonb(new) ->> 'synonyms'))) as word
  where to_jsonb(new) -> 'is_hidden' is distinct from 'true';
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.write_embedding_signature()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into embedding_signatures (media_item_id, model, user_id, visibility, signature)
  select id, new.model, new.user_id, visibility, embedding_signature_of(new.embedding)
  from media_items where id = new.media_item_id
  on conflict (media_item_id, model) do update set visibility = excluded.visibility, signature = excluded.signature;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.write_search_words(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  item record;
  old media_item_words;
  fields text[];
  words text[];
  known_ids bigint[];
  made_ids bigint[];
  new_ids bigint[];
begin
  for item in
    select id, user_id, local_time, visibility = 'visible' as is_listed, filename, description,
      concat_ws(' ', camera_make, camera_model) as camera,
      (select concat_ws(' ', town, city, state, country, synonyms) from media_item_places join places on places.id = place_id
        where media_item_id = media_items.id) as place,
      (select content from media_item_texts where media_item_id = media_items.id) as content
    from media_items where id = any(ids) order by id
  loop
    select array_agg(found.field), array_agg(found.word) into fields, words from (
      select distinct texts.field, word
      from (values ('f', item.filename), ('d', item.description), ('c', item.camera), ('p', item.place), ('t', item.content))
        as texts (field, content)
      cross join lateral unnest(
        case texts.field when 't' then find_read_words(texts.content) else find_search_words(texts.content) end
      ) as word
      where texts.field <> 'f' or not has_long_number(word)
    ) as found;

    select array_agg(id) into known_ids from (
      select (
        select kept.id from search_words as kept
        where kept.user_id = item.user_id and kept.word = found.word and kept.field = found.field limit 1
      ) as id
      from unnest(fields, words) as found (field, word)
    ) as of_item;
    new_ids := coalesce(array_remove(known_ids, null), '{}');
    if cardinality(new_ids) < cardinality(known_ids) then
      with made as (
        insert into search_words (user_id, field, word, edits)
        select item.user_id, field, word, find_search_edits(item.user_id, word)
        from unnest(fields, words, known_ids) as found (field, word, id) where id is null
        returning id
      ) select array_agg(id) into made_ids from made;
      new_ids := new_ids || made_ids;
    end if;

    select * into old from media_item_words where media_item_id = item.id;
    if old.is_listed then
      delete from search_postings
      where word_id = any(old.word_ids) and local_time = old.local_time and media_item_id = item.id
        and not (item.is_listed and local_time = item.local_time and word_id = any(new_ids));
    end if;
    if item.is_listed then
      insert into search_postings (word_id, local_time, media_item_id)
      select word_id, item.local_time, item.id from unnest(new_ids) as word_id
      where (old.is_listed and old.local_time = item.local_time and word_id = any(old.word_ids)) is not true;
    end if;
    insert into media_item_words (media_item_id, local_time, is_listed, word_ids)
    values (item.id, item.local_time, item.is_listed, new_ids)
    on conflict (media_item_id) do update
    set local_time = excluded.local_time, is_listed = excluded.is_listed, word_ids = excluded.word_ids;
  end loop;
end $function$
;

CREATE OR REPLACE FUNCTION public.write_search_words_of_inserted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform write_search_words((select array_agg(id) from new_rows));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.write_search_words_of_item()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform write_search_words(array[(to_jsonb(coalesce(new, old)) ->> tg_argv[0])::uuid]);
  return null;
end $function$
;

-- Machine: an item id that must not be inserted, see [Note: Abandoned items]. Recorded before the objects are deleted, so that a delayed upload inserts no row without an original. Deleted when no such upload can still be active.
create table abandoned_items (
  media_item_id uuid not null, -- Id of the deleted item, or of an item never inserted.
  abandoned_at timestamp with time zone not null default now(), -- Time of the record.
  constraint abandoned_items_pkey PRIMARY KEY (media_item_id)
);

-- Truth: a collection created by a user.
create table albums (
  id uuid not null, -- Id of its collection row.
  user_id uuid not null, -- Owner of the album.
  name text not null, -- Name given by the owner.
  description text, -- Description by the owner.
  share_id uuid, -- Secret id that opens the album without an account; null while not shared. Each new share gets a new id.
  is_shared boolean not null generated always as ((share_id IS NOT NULL)) stored, -- True if the album is visible through its link.
  is_hidden boolean not null default false, -- True if the owner hid the album from the lists.
  created_at timestamp with time zone not null default now(), -- Time of the album's creation.
  updated_at timestamp with time zone not null default now(), -- Time of the last change.
  sort_name text collate "C" not null generated always as (sort_key_of(name)) stored, -- Sort key of the name, see [Note: Names in order].
  constraint albums_id_fkey FOREIGN KEY (id) REFERENCES collections(id) ON DELETE CASCADE,
  constraint albums_pkey PRIMARY KEY (id),
  constraint albums_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Derived: the model whose embeddings are used to search a library, see [Note: Change of model]. No row before the first embedding.
create table answering_models (
  user_id uuid not null, -- Owner of the library.
  model text not null, -- Model used for searches, with an embedding of every item.
  wanted_model text, -- Model to switch to once it has all embeddings; null without a change.
  looked_to uuid, -- Last item checked for an embedding of the wanted model, in the order of ids; the greatest id when all are checked.
  constraint answering_models_model_check CHECK ((model <> ''::text)),
  constraint answering_models_pkey PRIMARY KEY (user_id),
  constraint answering_models_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint answering_models_wanted_model_check CHECK ((wanted_model <> ''::text))
);

-- Machine: the migrations that made this schema. Every start compares their checksums with those of the code.
create table applied_migrations (
  name text not null, -- The file of the migration, without .sql.
  sha256 text not null, -- The SHA-256 of the file, in hex, with Unix line endings.
  version text not null, -- The version of Hearth that applied it, with its commit.
  applied_at timestamp with time zone not null default now(), -- When it was applied.
  constraint applied_migrations_pkey PRIMARY KEY (name)
);

-- Truth: sign-ins and changes of accounts and shares, for the administrator; kept for 90 days. No foreign keys, because entries outlive their accounts. Contains no typed names, no tokens and no share ids.
create table audit_log (
  id bigint not null generated always as identity, -- Number of the entry, in insertion order.
  at timestamp with time zone not null default now(), -- Time of the entry.
  action text not null, -- Action, such as a sign-in or a password change.
  actor text not null, -- Type of the actor: user, administrator or anonymous.
  user_id uuid, -- Affected account, possibly deleted since.
  subject text, -- Other affected object: the administrator, a session by its id, or an album by an identifier that does not open its share.
  address text, -- IP address of the client.
  request_id text, -- Request id, as in X-Request-Id and the log.
  constraint audit_log_pkey PRIMARY KEY (id)
);

-- Truth: the membership of an item in a collection.
create table collection_items (
  collection_id uuid not null, -- Collection that contains the item.
  media_item_id uuid not null, -- Item in the collection.
  local_time timestamp without time zone not null, -- Copy of the item's local_time, maintained by a trigger, so that one index returns a page.
  visibility text not null, -- Copy of the item's visibility, maintained by a trigger.
  is_ready boolean not null default true, -- True if visitors of a shared album see the item. Set by the code that adds items to albums; unused in other collections.
  confidence real, -- Confidence that the item shows the thing, 0 to 1; null in other collections.
  constraint collection_items_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE,
  constraint collection_items_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
  constraint collection_items_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint collection_items_pkey PRIMARY KEY (collection_id, media_item_id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02, fillfactor=85);

-- Truth: a collection of items. All kinds share one implementation of lists, counts and jumps, whose cost does not depend on the position in a list of a million items.
create table collections (
  id uuid not null, -- Id of the collection, shared with its album, place, thing or person.
  user_id uuid not null, -- Owner of the collection.
  kind text not null, -- Table that holds the other half of the row.
  cover_id uuid, -- Cover chosen by the owner; used while it is a visible item of the collection.
  item_count integer not null default 0, -- Number of visible items without the pending changes in count_deltas: the sum of the collection's rows in counts. Stored here to skip empty places, things and people in lists.
  is_filled boolean not null generated always as ((item_count > 0)) stored, -- True if the collection has a visible item.
  sort_name text collate "C", -- Sort key of a place or thing, which never changes its name; null for albums and people.
  constraint collections_cover_id_fkey FOREIGN KEY (cover_id) REFERENCES media_items(id) ON DELETE SET NULL,
  constraint collections_kind_check CHECK ((kind = ANY (ARRAY['album'::text, 'place'::text, 'thing'::text, 'person'::text]))),
  constraint collections_pkey PRIMARY KEY (id),
  constraint collections_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.05);

-- Machine: progress of the search for results of earlier component versions.
create table component_checks (
  component text not null, -- Component whose results are checked; a component never checked has no row.
  version integer not null, -- Wanted version; results of earlier versions are processed again.
  checked_to uuid, -- Last item checked, in the order of ids; null when all items are checked.
  constraint component_checks_pkey PRIMARY KEY (component)
);

-- Truth: the last result of a component for an item, or a run that is due. The queues are filled from this table.
create table component_runs (
  media_item_id uuid not null, -- Item that the component processes.
  user_id uuid not null, -- Owner of the item, never changes.
  component text not null, -- Name of the component.
  type text not null, -- Type of the item, never changes; with the component it selects the worker pool.
  version integer not null, -- Version of the component that produced the result or will produce it.
  state text not null default 'PENDING'::text, -- State of the run.
  attempts integer not null default 0, -- Number of attempts started.
  claim_id uuid, -- Id of the current claim; every write of a result checks it.
  lease_until timestamp with time zone, -- End of the lease on a RUNNING run.
  next_attempt_at timestamp with time zone not null default now(), -- Due time of a PENDING run.
  blocked_on text, -- Capability missing on this installation, such as 'decode image/jpeg'.
  reason text, -- Reason of a failure or block.
  warnings text[] not null default '{}'::text[], -- Warnings to the owner about an incomplete result.
  finished_at timestamp with time zone, -- Time of the result.
  progress smallint, -- Progress of a long run, in percent. Not a column of media_items, because each change there notifies the owner's clients.
  job_id uuid, -- Job that made the run due; null after the run.
  earlier jsonb, -- State, version, attempts and reason before the job. They are restored if the job is paused or stopped before the run starts. Null if there was no run.
  constraint component_runs_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint component_runs_pkey PRIMARY KEY (media_item_id, component)
) with (autovacuum_vacuum_scale_factor=0.02, fillfactor=80);

-- Derived: pending changes of counts. Rows are only appended, so that writers never wait for each other.
create table count_deltas (
  id bigint not null generated always as identity, -- Number of the row, in insertion order.
  user_id uuid not null, -- Owner of the changed list.
  list_id uuid not null, -- User id for the library, or the id of a collection.
  visibility text not null, -- List of the library that shows the items; always 'visible' for collections.
  day date not null, -- Local day of the items; for collections the first day of the month.
  type text, -- Type of the items; null for collections.
  category text, -- Category of the items; null for collections.
  status text, -- Status of the items; null for collections.
  is_favourite boolean, -- True if the items are favourites; null for collections.
  n integer not null, -- Number of items added; negative for removed items.
  constraint count_deltas_pkey PRIMARY KEY (user_id, list_id, id)
) with (autovacuum_vacuum_scale_factor=0.1);

-- Derived: number of items per list and month, without the pending changes in count_deltas.
create table counts (
  user_id uuid not null, -- Owner of the list.
  list_id uuid not null, -- User id for the library, or the id of a collection.
  visibility text not null, -- List of the library that shows the items; always 'visible' for collections.
  month date not null, -- First day of the month of capture, in local time.
  type text, -- Type of the counted items. Null, together with category, status and is_favourite, in the total of a month over all items; a collection has only totals.
  category text, -- Category of the counted items; null in totals.
  status text, -- Status of the counted items; null in totals.
  is_favourite boolean, -- True if the counted items are favourites; null in totals.
  n integer not null, -- Number of items, without the pending changes in count_deltas.
  days integer[], -- Number of items on each day of the month: 31 elements, day 1 first. Null for collections.
  constraint counts_check CHECK (((days IS NULL) = (list_id <> user_id))),
  constraint counts_days_check CHECK ((array_length(days, 1) = 31)),
  constraint counts_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint counts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint counts_user_id_list_id_visibility_type_category_status_is_f_key UNIQUE NULLS NOT DISTINCT (user_id, list_id, visibility, type, category, status, is_favourite, month)
) with (autovacuum_vacuum_scale_factor=0.05, fillfactor=70);

-- Truth: a group of two or more photos that show the same, in any list, and the owner's review, see [Note: Duplicates].
create table duplicate_groups (
  id uuid not null, -- Id of the group: that of its first representative, or a random one if another group already has that id.
  user_id uuid not null, -- Owner of the photos.
  member_count integer not null, -- Number of photos in all lists, at least two.
  item_count integer not null, -- Number of visible photos.
  trashed_count integer not null, -- Number of photos moved to the trash by the group's review.
  reviewed_at timestamp with time zone, -- Time of the owner's review; null again after another visible photo joins.
  kept_id uuid, -- Photo that received the albums, favourite mark and description of the trashed ones.
  given_albums uuid[] not null default '{}'::uuid[], -- Albums that received that photo in the review.
  gave_favourite boolean not null default false, -- True if the review made that photo a favourite.
  given_description text, -- Description that the review gave that photo, if it had none.
  revision bigint not null default nextval('duplicate_group_revisions'::regclass), -- Changes when a visible photo joins or a photo becomes visible again. Values are never reused, even if a group is created again.
  constraint duplicate_groups_pkey PRIMARY KEY (id),
  constraint duplicate_groups_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
) with (fillfactor=85);

-- Derived: the signs of an embedding's numbers. They select candidates, which are then compared exactly, see [Note: Derived vectors].
create table embedding_signatures (
  media_item_id uuid not null, -- Item with the embedding.
  model text not null, -- Model of the embedding.
  user_id uuid not null, -- Owner of the item.
  visibility text not null, -- Copy of the item's visibility, maintained by a trigger, so that scans need no join.
  signature bit(512) not null, -- One bit per number: 0 if negative.
  constraint embedding_signatures_media_item_id_model_fkey FOREIGN KEY (media_item_id, model) REFERENCES media_item_embeddings(media_item_id, model) ON DELETE CASCADE,
  constraint embedding_signatures_pkey PRIMARY KEY (media_item_id, model)
);

-- Machine: the last deleted event of each library. A reader with an earlier position has missed events.
create table event_horizons (
  user_id uuid not null, -- Owner of the library.
  xid xid8 not null, -- Transaction of the last deleted event.
  id bigint not null, -- Id of that event within its transaction.
  constraint event_horizons_pkey PRIMARY KEY (user_id),
  constraint event_horizons_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Machine: a change in a library, for clients that listen to GET /v1/events; kept for at most a day. Events name the changed object but not its state: clients receive the current state, possibly twice. No foreign keys, because the object may be deleted.
create table events (
  user_id uuid not null, -- Owner of the library.
  xid xid8 not null default pg_current_xact_id(), -- Transaction that made the change.
  id bigint not null generated always as identity, -- Order within the transaction.
  kind text not null, -- Kind of the changed object, such as 'mediaItem'.
  subject_id uuid not null, -- Id of the changed object.
  change text not null, -- Type of the change: created, updated or removed.
  created_at timestamp with time zone not null default now(), -- Start of the transaction.
  constraint events_change_check CHECK ((change = ANY (ARRAY['created'::text, 'updated'::text, 'removed'::text]))),
  constraint events_pkey PRIMARY KEY (user_id, xid, id)
);

-- Derived: the embedding of a face, by the component FACES, see [Note: Faces that are alike]. The API never returns it.
create table face_embeddings (
  face_id uuid not null, -- Face described by the embedding.
  user_id uuid not null, -- Owner of the item.
  version integer not null, -- Version of the embedding; only equal versions are comparable.
  embedding bytea not null, -- Unit vector of 16-bit floats, little-endian.
  is_founding boolean not null, -- True if the face is good enough to create a person; other faces only join one.
  likeness real, -- Cosine similarity of a non-founding face to the most similar founding face of its person, -1 to 1; null without one.
  written bigint not null default nextval('face_embeddings_written'::regclass), -- Number of the write, increasing. Readers that have cached a user's embeddings read only those after the last one.
  constraint face_embeddings_face_id_fkey FOREIGN KEY (face_id) REFERENCES faces(id) ON DELETE CASCADE,
  constraint face_embeddings_pkey PRIMARY KEY (face_id),
  constraint face_embeddings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Truth: a user's statement that a face does not belong to a person.
create table face_rejections (
  face_id uuid not null, -- Face removed from the person.
  person_id uuid not null, -- Person that the face does not show.
  created_at timestamp with time zone not null default clock_timestamp(), -- Time of the rejection.
  constraint face_rejections_face_id_fkey FOREIGN KEY (face_id) REFERENCES faces(id) ON DELETE CASCADE,
  constraint face_rejections_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
  constraint face_rejections_pkey PRIMARY KEY (face_id, person_id)
);

-- Truth: a face in an item, and its person. The box is in fractions of the upright picture.
create table faces (
  id uuid not null, -- Id of the face, also used in its object key.
  media_item_id uuid not null, -- Item that shows the face.
  person_id uuid, -- Person of the face; null for a face of poor quality that resembles no known person.
  box_left double precision not null, -- Left edge of the box.
  box_top double precision not null, -- Top edge of the box.
  box_width double precision not null, -- Width of the box, as a fraction.
  box_height double precision not null, -- Height of the box, as a fraction.
  quality double precision not null, -- Suitability as the person's picture; higher is better.
  thumbnail_key text not null, -- Object key of the face thumbnail.
  thumbnail_bytes integer, -- Size of the thumbnail, in bytes; null for old faces until the scrub measures them.
  visibility text not null, -- Copy of the item's visibility, maintained by a trigger, so that one index finds a person's best visible face; or `missed` if the last run did not find the face but user input depends on it, see [Note: Faces that are missed].
  joined_at timestamp with time zone not null default clock_timestamp(), -- Time at which this face was last assigned to a person or removed from one. Merges and splits of people do not change it.
  constraint faces_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint faces_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
  constraint faces_pkey PRIMARY KEY (id)
);

-- Machine: the last run of each housekeeping task, so that restarts do not repeat daily tasks.
create table housekeeping_tasks (
  name text not null, -- Name of the task.
  finished_at timestamp with time zone not null, -- Time of the last completion.
  constraint housekeeping_tasks_pkey PRIMARY KEY (name)
);

-- Truth: components to run again for every item of a user. A runner visits the items in the order of their ids.
create table jobs (
  id uuid not null, -- Id of the job in the API and in component_runs.
  user_id uuid not null, -- Owner of the items to reprocess.
  components text[] not null, -- Components to run again.
  status text not null default 'SCHEDULED'::text, -- State of the job; a user has at most one unfinished job.
  end_media_item_id uuid, -- Last item at the job's creation; null for an empty library.
  last_media_item_id uuid, -- Last finished item: all items up to it are finished.
  opened_to uuid, -- Last item whose runs are due; the items after last_media_item_id up to this one are active.
  total integer not null, -- Number of items at the job's creation.
  done integer not null default 0, -- Number of finished items.
  failed integer not null default 0, -- Number of finished items with a failed component.
  created_at timestamp with time zone not null default now(), -- Time of the job's creation.
  updated_at timestamp with time zone not null default now(), -- Time of the last change.
  constraint jobs_pkey PRIMARY KEY (id),
  constraint jobs_status_check CHECK ((status = ANY (ARRAY['SCHEDULED'::text, 'RUNNING'::text, 'PAUSED'::text, 'COMPLETED'::text, 'STOPPED'::text]))),
  constraint jobs_total_check CHECK ((total >= 0)),
  constraint jobs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Machine: a recent network of an account or the administrator, recorded at a sign-in.
create table known_networks (
  subject bytea not null, -- Hash of account and network, as in login_attempts.
  at timestamp with time zone not null, -- Time of the last sign-in from this network.
  constraint known_networks_pkey PRIMARY KEY (subject)
);

-- Machine: locks for tasks that only one process may run at a time.
create table leases (
  name text not null, -- Name of the task.
  holder uuid not null, -- Process that holds the lease.
  fencing bigint not null, -- Fencing token, incremented for each new holder. Writes under the lease carry it, so that a process that resumes after a freeze writes nothing.
  held_until timestamp with time zone not null, -- Expiry of the lease unless it is renewed.
  constraint leases_pkey PRIMARY KEY (name)
);

-- Truth: the id of this library, in one row. The object store has a marker with the same id, so that no process writes to the wrong store.
create table library (
  id uuid not null default gen_random_uuid(), -- Id created with the database; never changes.
  is_only boolean not null default true, -- Always true, which limits the table to one row.
  constraint library_is_only_check CHECK (is_only),
  constraint library_is_only_key UNIQUE (is_only),
  constraint library_pkey PRIMARY KEY (id)
);

-- Machine: a sign-in attempt, counted against one subject: the account or the client's network. Kept for just over an hour.
create table login_attempts (
  id uuid not null, -- Id of the attempt, shared by the rows of its subjects.
  subject bytea not null, -- Hash of the subject, because people sometimes type a password as the user name.
  is_pending boolean not null, -- True while the password is checked; false after a failure.
  at timestamp with time zone not null, -- Start of the attempt, then time of its failure.
  constraint login_attempts_pkey PRIMARY KEY (id, subject)
);

-- Derived: count and position sums of the visible items in a map cell. Sums are integers in units of 1e-7 degrees (about 1 cm), so that subtracting an item leaves no rounding error.
create table map_cells (
  user_id uuid not null, -- Owner of the items.
  level smallint not null, -- Level of the cell, up to 22 (finest).
  cell bigint not null, -- Cell number at this level.
  n integer not null, -- Number of items, without the pending changes in map_deltas.
  latitude_e7 bigint not null, -- Sum of the latitudes, in 1e-7 degrees.
  longitude_e7 bigint not null, -- Sum of the longitudes, in 1e-7 degrees.
  constraint map_cells_pkey PRIMARY KEY (user_id, level, cell),
  constraint map_cells_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
) with (autovacuum_vacuum_scale_factor=0.05, fillfactor=70);

-- Derived: pending changes, which the housekeeper adds to map_cells.
create table map_deltas (
  id bigint not null generated always as identity, -- Number of the row, in insertion order.
  user_id uuid not null, -- Owner of the changed item.
  cell bigint not null, -- Cell number at the finest level.
  n integer not null, -- Number of items added: 1, or -1 for a removed item.
  latitude_e7 bigint not null, -- Latitude in 1e-7 degrees, negated for a removed item.
  longitude_e7 bigint not null, -- Longitude in 1e-7 degrees, negated for a removed item.
  constraint map_deltas_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0.1);

-- Derived: the embedding of a picture by a model, for semantic search, by the component SEARCH. The API never returns it.
create table media_item_embeddings (
  media_item_id uuid not null, -- Item with the picture.
  model text not null, -- Model of the embedding; only equal models are comparable, see [Note: Change of model].
  user_id uuid not null, -- Owner of the item, never changes.
  embedding bytea not null, -- Unit vector of 512 16-bit floats, little-endian.
  constraint media_item_embeddings_embedding_check CHECK ((length(embedding) = 1024)),
  constraint media_item_embeddings_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint media_item_embeddings_model_check CHECK ((model <> ''::text)),
  constraint media_item_embeddings_pkey PRIMARY KEY (media_item_id, model),
  constraint media_item_embeddings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Derived: the place of an item, at most one, found by the component PLACES.
create table media_item_places (
  media_item_id uuid not null, -- Item taken at the place.
  place_id uuid not null, -- Place of the item.
  postcode text, -- Postcode of the item; a city has hundreds of them.
  constraint media_item_places_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint media_item_places_pkey PRIMARY KEY (media_item_id),
  constraint media_item_places_place_id_fkey FOREIGN KEY (place_id) REFERENCES places(id) ON DELETE CASCADE,
  constraint media_item_places_postcode_check CHECK ((postcode <> ''::text))
);

-- Derived: text in a picture, recognized by the component OCR. Not visible to visitors of a shared album.
create table media_item_texts (
  media_item_id uuid not null, -- Item that shows the text.
  content text not null, -- Recognized lines of text, separated by newlines, at most 10,000 characters.
  lines jsonb not null, -- Lines in the format of the API: text, confidence from 0 to 1, and four corners in fractions of the upright picture. One JSON value, because single lines are never queried.
  constraint media_item_texts_content_check CHECK ((content <> ''::text)),
  constraint media_item_texts_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint media_item_texts_pkey PRIMARY KEY (media_item_id)
);

-- Derived: the words of an item, and the values in its postings.
create table media_item_words (
  media_item_id uuid not null, -- Item that contains the words.
  local_time timestamp without time zone not null, -- Value of local_time in the postings.
  is_listed boolean not null, -- True if the item has postings; only visible items do.
  word_ids bigint[] not null, -- Ids of the words in search_words.
  constraint media_item_words_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint media_item_words_pkey PRIMARY KEY (media_item_id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02, fillfactor=85);

-- Truth: a photo or video, with the metadata that components read from its original.
create table media_items (
  id uuid not null, -- Id of the item, also used in object keys; ids increase with time.
  user_id uuid not null, -- Owner of the item.
  checksum bytea not null, -- SHA-256 of the original.
  filename text not null, -- File name at the upload.
  description text, -- Description by the owner.
  mime_type text not null, -- Format of the original, detected from its first bytes.
  size_bytes bigint not null, -- Size of the original, in bytes.
  type text not null, -- Media type: photo or video.
  category text not null default 'DEFAULT'::text, -- Category, such as screenshot; LIVE only while both halves of the Live Photo exist.
  unpaired_category text not null default 'DEFAULT'::text, -- Category outside of a Live Photo.
  status text not null default 'PROCESSING'::text, -- Overall state of the item's components.
  is_favourite boolean not null default false, -- True for a favourite of the owner.
  is_hidden boolean not null default false, -- True if the owner hid the item from the lists.
  deleted_at timestamp with time zone, -- Time of the move to the trash.
  removing_at timestamp with time zone, -- Start of the permanent deletion: objects first, then this row.
  taken_at timestamp with time zone not null, -- Time of capture, in UTC.
  local_time timestamp without time zone not null, -- Local time of capture, at the place of capture; all lists of items sort by it.
  utc_offset_minutes integer, -- UTC offset of local_time, in minutes east; null if unknown.
  client_taken_at timestamp with time zone, -- Capture time sent by the uploader, used if the file contains none.
  client_utc_offset_minutes integer, -- UTC offset of client_taken_at, in minutes east; null if not sent.
  width_px integer, -- Width of the upright picture, in pixels.
  height_px integer, -- Height of the upright picture, in pixels.
  latitude double precision, -- Latitude of capture, in degrees north.
  longitude double precision, -- Longitude of capture, in degrees east.
  camera_make text, -- Manufacturer of the camera.
  camera_model text, -- Model of the camera.
  focal_length_mm double precision, -- Focal length of the lens, in mm.
  aperture_f_number double precision, -- Aperture as f-number: focal length divided by aperture diameter.
  iso_equivalent double precision, -- ISO sensitivity of the sensor.
  exposure_time_s double precision, -- Exposure time, in seconds.
  fps double precision, -- Frame rate from the file's metadata, in frames per second.
  duration_s double precision, -- Video duration from the file's metadata, in seconds.
  placeholder text, -- ThumbHash in base64, shown until the thumbnail exists.
  preview_key text, -- Object key of the preview; null until it exists.
  preview_bytes bigint, -- Size of the preview, in bytes; null if the original serves as preview, and for old previews until the scrub measures them.
  thumbnail_key text, -- Object key of the thumbnail; null until it exists.
  thumbnail_bytes integer, -- Size of the thumbnail, in bytes; null like preview_bytes.
  poster_key text, -- Object key of a video's poster frame; null until it exists.
  poster_bytes integer, -- Size of the poster, in bytes; null like preview_bytes.
  probed_fps double precision, -- Frame rate measured by the decoder, for files whose metadata has none.
  probed_duration_s double precision, -- Video duration measured by the decoder, in seconds, for files whose metadata has none.
  content_identifier text, -- Identifier that Apple devices write into both files of a Live Photo.
  motion_item_id uuid, -- Item with the video half of this Live Photo.
  motion_key text, -- Object key of the playable clip of a Live Photo or motion photo; null until it exists.
  motion_bytes bigint, -- Size of the clip, in bytes, like preview_bytes; unused if another item's video is the clip.
  is_motion_half boolean not null default false, -- True if the item is shown only as part of a photo.
  shared_video_key text, -- Object key of the copy without metadata for visitors of a shared album: of clips, and of videos that serve as their own preview.
  shared_video_bytes bigint, -- Size of the copy for visitors, in bytes, like preview_bytes; unused if the copy belongs to another item.
  created_at timestamp with time zone not null default now(), -- Time of the upload.
  updated_at timestamp with time zone not null default now(), -- Time of the last change.
  visibility text not null generated always as (
CASE
    WHEN (removing_at IS NOT NULL) THEN 'removed'::text
    WHEN is_motion_half THEN 'paired'::text
    WHEN (deleted_at IS NOT NULL) THEN 'trash'::text
    WHEN is_hidden THEN 'hidden'::text
    ELSE 'visible'::text
END) stored, -- List that shows the item; all lists and counts use this one definition.
  constraint media_items_checksum_check CHECK ((length(checksum) = 32)),
  constraint media_items_pkey PRIMARY KEY (id),
  constraint media_items_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02, fillfactor=85);

-- Truth: a face that a merged person had.
create table merged_faces (
  person_id uuid not null, -- Person before the merge.
  face_id uuid not null, -- Face of that person.
  constraint merged_faces_face_id_fkey FOREIGN KEY (face_id) REFERENCES faces(id) ON DELETE CASCADE,
  constraint merged_faces_person_id_fkey FOREIGN KEY (person_id) REFERENCES merged_people(id) ON DELETE CASCADE,
  constraint merged_faces_pkey PRIMARY KEY (person_id, face_id)
);

-- Truth: the previous state of a person whom a user merged into another one, so that the merge can be undone, see [Note: Merges that are taken back].
create table merged_people (
  id uuid not null, -- Id of the merged person, used again after an undo.
  person_id uuid not null, -- Person who has the faces now.
  into_id uuid not null, -- Target of the merge: person_id, or a person merged later, whose merge must be undone first.
  name text, -- Name before the merge.
  gave_name boolean not null, -- True if the target got its name from this person; false once a user renames the target.
  is_hidden boolean not null, -- True if the person was hidden.
  cover_id uuid, -- Cover chosen before the merge.
  created_at timestamp with time zone not null, -- Time of the person's first face.
  merged_at timestamp with time zone not null default clock_timestamp(), -- Time of the merge.
  constraint merged_people_cover_id_fkey FOREIGN KEY (cover_id) REFERENCES media_items(id) ON DELETE SET NULL,
  constraint merged_people_name_check CHECK ((name <> ''::text)),
  constraint merged_people_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
  constraint merged_people_pkey PRIMARY KEY (id)
);

-- Truth: a user's statement that a face does not belong to a person who was merged later. It also applies to the target of the merge.
create table merged_rejections (
  person_id uuid not null, -- Person that the face does not show.
  face_id uuid not null, -- Face removed from the person.
  created_at timestamp with time zone not null, -- Time of the rejection.
  constraint merged_rejections_face_id_fkey FOREIGN KEY (face_id) REFERENCES faces(id) ON DELETE CASCADE,
  constraint merged_rejections_person_id_fkey FOREIGN KEY (person_id) REFERENCES merged_people(id) ON DELETE CASCADE,
  constraint merged_rejections_pkey PRIMARY KEY (person_id, face_id)
);

-- Machine: the last integrity check of a stored original. An item without a row is unchecked and counts as OK.
create table original_checks (
  media_item_id uuid not null, -- Item whose original was checked.
  user_id uuid not null, -- Owner of the item.
  state text not null, -- OK: size and SHA-256 match. DAMAGED: the stored bytes differ. MISSING: the object does not exist.
  checked_at timestamp with time zone not null default now(), -- Time of the last full read, or of a check that found the original missing or of the wrong size.
  object_modified_at timestamp with time zone, -- Modification time of the object at that check, by the store's clock; null if MISSING. An object with another time is unchecked.
  constraint original_checks_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint original_checks_pkey PRIMARY KEY (media_item_id),
  constraint original_checks_state_check CHECK ((state = ANY (ARRAY['OK'::text, 'DAMAGED'::text, 'MISSING'::text])))
);

-- Machine: an original without an item, found by the orphan sweep. Example: it was uploaded after the backup from which the database was restored. No foreign keys, because its user may be missing too.
create table orphans (
  user_id uuid not null, -- User id in the object key.
  media_item_id uuid not null, -- Item id in the object key.
  size_bytes bigint not null, -- Size of the original, in bytes.
  first_seen_at timestamp with time zone not null default now(), -- First sighting as an orphan, without interruption since then.
  last_seen_at timestamp with time zone not null default now(), -- Last sighting by the sweep.
  constraint orphans_pkey PRIMARY KEY (user_id, media_item_id)
);

-- Truth: a person in items of a user, with all items that have a face of the person.
create table people (
  id uuid not null, -- Id of its collection row.
  user_id uuid not null, -- Owner of the library.
  name text, -- Name given by the user; null until then.
  is_hidden boolean not null default false, -- True if the user hid the person from all lists.
  created_at timestamp with time zone not null default now(), -- Time of the first face.
  updated_at timestamp with time zone not null default now(), -- Time of the last change.
  sort_name text collate "C" generated always as (sort_key_of(name)) stored, -- Sort key of the name, see [Note: Names in order]; null without a name.
  constraint people_id_fkey FOREIGN KEY (id) REFERENCES collections(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint people_name_check CHECK ((name <> ''::text)),
  constraint people_pkey PRIMARY KEY (id),
  constraint people_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Truth: an account for which the feature people is off, by its own setting or the server's, see [Note: People switched off].
create table people_off (
  user_id uuid not null, -- Account without the feature.
  since timestamp with time zone not null default now(), -- First time the feature was seen switched off; names and faces are kept for 30 days from then.
  forgetting_since timestamp with time zone, -- Start of the deletion of names and faces, which then finishes even if the feature is switched on.
  forgotten_at timestamp with time zone, -- End of the deletion.
  constraint people_off_pkey PRIMARY KEY (user_id),
  constraint people_off_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Derived: the perceptual hash of a photo, by the component SEARCH, and its group, see [Note: Duplicates]. The API never returns it.
create table picture_hashes (
  media_item_id uuid not null, -- Photo described by the hash.
  user_id uuid not null, -- Owner of the photo, never changes.
  hash bigint not null, -- Perceptual hash of 64 bits; similar pictures differ in few bits.
  sharpness real not null, -- Amount of detail at 640 pixels, relative to the contrast.
  group_id uuid not null, -- Group of the photo. A single photo has one too, without a row in duplicate_groups.
  is_centre boolean not null, -- True for the representative of the group.
  is_set_aside boolean not null default false, -- True if the group's review moved the photo to the trash.
  visibility text not null, -- Copy of the item's visibility, maintained by a trigger.
  score bigint not null, -- Rank in the group: the photo with the highest score is suggested to keep.
  band_0 integer not null generated always as ((((hash >> 48) & (65535)::bigint))::integer) stored, -- Bits 1 to 16 of the hash. If two hashes differ in at most 7 bits, one of the four bands differs in at most one bit.
  band_1 integer not null generated always as ((((hash >> 32) & (65535)::bigint))::integer) stored, -- Bits 17 to 32 of the hash.
  band_2 integer not null generated always as ((((hash >> 16) & (65535)::bigint))::integer) stored, -- Bits 33 to 48 of the hash.
  band_3 integer not null generated always as (((hash & (65535)::bigint))::integer) stored, -- Bits 49 to 64 of the hash.
  constraint picture_hashes_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint picture_hashes_pkey PRIMARY KEY (media_item_id),
  constraint picture_hashes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
) with (fillfactor=85);

-- Truth: the address of some of a user's items. Items with equal address columns share a place. The row is kept when the last item is gone, so that its id and the owner's settings survive a rescan of the library.
create table places (
  id uuid not null, -- Id of its collection row.
  user_id uuid not null, -- Owner of the library.
  country_code text not null, -- Country code, ISO 3166-1 alpha-2.
  country text not null, -- English name of the country.
  state text, -- State or province of the country.
  city text, -- Large city that contains the town, or is the town.
  town text, -- English name of the town or village.
  name text not null generated always as (COALESCE(town, city, state, country)) stored, -- Name of the place: the most specific part of the address.
  created_at timestamp with time zone not null default now(), -- Time of the first item there.
  updated_at timestamp with time zone not null default now(), -- Time of the last change.
  sort_name text collate "C" not null generated always as (sort_key_of(COALESCE(town, city, state, country))) stored, -- Sort key of the name, see [Note: Names in order].
  synonyms text not null default ''::text, -- Additional search terms, separated by spaces: the German names.
  constraint places_city_check CHECK ((city <> ''::text)),
  constraint places_country_code_check CHECK ((country_code ~ '^[A-Z]{2}$'::text)),
  constraint places_id_fkey FOREIGN KEY (id) REFERENCES collections(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint places_pkey PRIMARY KEY (id),
  constraint places_state_check CHECK ((state <> ''::text)),
  constraint places_town_check CHECK ((town <> ''::text)),
  constraint places_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Truth: an account deleted on purpose. Leftover objects of it need not be kept.
create table removed_users (
  user_id uuid not null, -- Id of the deleted account.
  removed_at timestamp with time zone not null default now(), -- Time of the deletion.
  constraint removed_users_pkey PRIMARY KEY (user_id)
);

-- Machine: one row with the state of the scrub, which periodically reads every stored original. No row before the first pass.
create table scrub_state (
  is_only boolean not null default true, -- Always true, which limits the table to one row.
  pass_started_at timestamp with time zone not null, -- Start of the last pass. It checks all originals that were uploaded earlier and not checked since.
  pass_ended_at timestamp with time zone, -- End of that pass; null while it runs.
  completed_at timestamp with time zone, -- End of the last complete pass; null before the first one.
  repaired_renditions bigint not null default 0, -- Number of damaged or missing renditions scheduled to be rebuilt, since the first pass.
  stopped_at timestamp with time zone, -- Start of a stop because the store is unavailable or most originals are missing; null otherwise.
  stopped_reason text, -- Reason of the stop.
  constraint scrub_state_is_only_check CHECK (is_only),
  constraint scrub_state_pkey PRIMARY KEY (is_only)
);

-- Derived: a visible item that contains a word. Written only by triggers.
create table search_postings (
  word_id bigint not null, -- Word contained in the item.
  local_time timestamp without time zone not null, -- Copy of the item's local_time, the sort order of postings.
  media_item_id uuid not null, -- Item that contains the word.
  constraint search_postings_pkey PRIMARY KEY (word_id, local_time, media_item_id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);

-- Derived: a word in a user's items or in the name of a collection. Concurrent transactions may insert the same new word twice. A unique index would prevent that but make one writer wait for the other, so readers use all rows of a word instead.
create table search_words (
  id bigint not null generated always as identity, -- Id of the word in search_postings.
  user_id uuid not null, -- Owner of the library.
  word text collate "C" not null, -- Word in lower case and without accents, see fold_search_text.
  field text collate "C" not null, -- Field of the word: filename (f), description (d), camera (c), place (p), text in the picture (t), or the name of an album (a), a thing (o), a person who is not hidden (i) or a place (l, for suggestions only).
  collection_id uuid, -- Collection whose name contains the word; null for words of items.
  edits bigint[] not null, -- Hashes of the word with letters deleted, see find_search_edits.
  constraint search_words_check CHECK (((field = ANY (ARRAY['a'::text, 'o'::text, 'i'::text, 'l'::text])) = (collection_id IS NOT NULL))),
  constraint search_words_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE,
  constraint search_words_field_check CHECK ((field = ANY (ARRAY['f'::text, 'd'::text, 'c'::text, 'p'::text, 't'::text, 'a'::text, 'o'::text, 'i'::text, 'l'::text]))),
  constraint search_words_pkey PRIMARY KEY (id),
  constraint search_words_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Machine: a signed-in device. [Note: Refresh tokens] explains the token columns.
create table sessions (
  id uuid not null, -- Id in access tokens: deleting the session rejects them immediately on every replica.
  user_id uuid not null, -- User who signed in.
  family_hash bytea not null, -- Hash of the secret that starts every refresh token of the session.
  refresh_token_hash bytea not null, -- Hash of the current refresh token.
  previous_token_hash bytea, -- Hash of the previous refresh token, accepted for 10 more seconds.
  successor_salt bytea, -- Salt that derives the current refresh token from the previous one, so that concurrent refreshes return the same token.
  refreshed_at timestamp with time zone, -- Time of the last refresh; null before the first one.
  device text, -- Client name at the last sign-in or refresh.
  network text, -- Network of the last sign-in or refresh.
  created_at timestamp with time zone not null default now(), -- Time of the sign-in.
  expires_at timestamp with time zone not null, -- Expiry time, unless the session is refreshed.
  constraint sessions_family_hash_key UNIQUE (family_hash),
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Truth: an object or scene detected in items of a user.
create table things (
  id uuid not null, -- Id of its collection row.
  user_id uuid not null, -- Owner of the library.
  name text not null, -- Name: an everyday English noun.
  synonyms text not null default ''::text, -- Additional search terms, separated by spaces.
  created_at timestamp with time zone not null default now(), -- Time of the first detection.
  updated_at timestamp with time zone not null default now(), -- Time of the last change.
  sort_name text collate "C" not null generated always as (sort_key_of(name)) stored, -- Sort key of the name, see [Note: Names in order].
  constraint things_id_fkey FOREIGN KEY (id) REFERENCES collections(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint things_name_check CHECK ((name <> ''::text)),
  constraint things_pkey PRIMARY KEY (id),
  constraint things_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint things_user_id_name_key UNIQUE (user_id, name)
);

-- Derived: photos to regroup because an earlier photo changed its group, when there were too many to regroup in the same transaction. Nearly always empty.
create table unsettled_pictures (
  media_item_id uuid not null, -- Photo to regroup, with its hash.
  user_id uuid not null, -- Owner of the photo, never changes.
  constraint unsettled_pictures_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES picture_hashes(media_item_id) ON DELETE CASCADE,
  constraint unsettled_pictures_pkey PRIMARY KEY (media_item_id)
);

-- Machine: a stored part of an upload. Deleted once the upload is finished.
create table upload_parts (
  upload_id uuid not null, -- Upload that the part belongs to.
  number integer not null, -- Part number within the upload, from 1.
  tag text not null, -- Tag returned by the store (ETag), needed to complete the object.
  constraint upload_parts_pkey PRIMARY KEY (upload_id, number),
  constraint upload_parts_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES uploads(id) ON DELETE CASCADE
);

-- Machine: a resumable upload (tus) over several requests, processes and replicas. Received bytes are stored in two places: complete parts in the unfinished original, the rest in a separate object, the tail. The row is kept until it expires, so that a client that lost the response can still query the result.
create table uploads (
  id uuid not null, -- Id of the upload and of its media item; object keys contain it.
  user_id uuid not null, -- User who uploads the file and will own the item.
  metadata text not null, -- Upload-Metadata header as sent by the client.
  length_bytes bigint not null, -- Size of the complete file, in bytes.
  received_bytes bigint not null default 0, -- Number of bytes received and stored.
  part_bytes bigint not null, -- Size of every part except the last, in bytes.
  write_id text, -- Store's id of the unfinished object; null until it exists.
  hash_state bytea, -- SHA-256 state after all stored parts, so that any process can resume hashing.
  tail_key text, -- Object key of the tail; null without one.
  mime_type text, -- Format detected from the first bytes.
  type text, -- Media type of that format: photo or video.
  checksum bytea, -- SHA-256 of the complete file; null until all parts are stored.
  media_item_id uuid, -- Created item; no foreign key, because the item may be deleted.
  claim_id uuid, -- Id of the request that holds the claim; the request ends if another one takes it.
  claimed_until timestamp with time zone, -- Expiry of the claim unless it is renewed.
  is_asked_for boolean not null default false, -- True if another request waits for the claim to be released or to expire.
  created_at timestamp with time zone not null default now(), -- Time of the upload's creation.
  expires_at timestamp with time zone not null, -- Time to delete the row.
  constraint uploads_checksum_check CHECK ((length(checksum) = 32)),
  constraint uploads_pkey PRIMARY KEY (id),
  constraint uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Derived: storage used by the originals of an account, including hidden and trashed items, and items being deleted, whose objects may still exist. A separate table, because every request reads users. Uploads to an account with a quota lock the row, so that concurrent uploads cannot exceed the quota.
create table user_storage (
  user_id uuid not null, -- Account that owns the originals.
  used_bytes bigint not null, -- Sum of the sizes, in bytes, without the pending changes in user_storage_deltas.
  constraint user_storage_pkey PRIMARY KEY (user_id),
  constraint user_storage_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.05);

-- Derived: pending changes of storage use, which the housekeeper adds to user_storage. So uploads without a quota do not wait for each other, see [Note: Quotas].
create table user_storage_deltas (
  id bigint not null generated always as identity, -- Number of the row, in insertion order.
  user_id uuid not null, -- Account that owns the originals.
  bytes bigint not null, -- Number of bytes added; negative for deleted originals.
  constraint user_storage_deltas_pkey PRIMARY KEY (id)
);

-- Truth: an account with its one library.
create table users (
  id uuid not null, -- Id of the account, also used in object keys.
  name text not null, -- Display name, visible to other users.
  username text not null, -- User name typed to sign in.
  username_key text not null, -- Normalized user name, equal for names that look the same (db/accounts/usernameKey.ts).
  password_hash text not null, -- Password hash with its parameters.
  features jsonb not null default '{}'::jsonb, -- Features switched on or off; features not listed are on.
  link_epoch integer not null default floor((random() * (2147483647)::double precision)), -- Number in all signed file links of the account; a new value invalidates them.
  quota_bytes bigint, -- Storage quota, in bytes; null for unlimited.
  removing_at timestamp with time zone, -- Start of the account's deletion: its sessions are gone, its objects and rows follow.
  created_at timestamp with time zone not null default now(), -- Time of the account's creation.
  updated_at timestamp with time zone not null default now(), -- Time of the last change.
  sort_name text collate "C" not null generated always as (sort_key_of(name)) stored, -- Sort key of the name, see [Note: Names in order].
  constraint users_pkey PRIMARY KEY (id),
  constraint users_quota_bytes_check CHECK ((quota_bytes >= 0))
);

CREATE INDEX albums_by_created_at ON public.albums USING btree (user_id, created_at, id);

CREATE INDEX albums_by_name ON public.albums USING btree (user_id, is_hidden, sort_name, id);

CREATE UNIQUE INDEX albums_by_share ON public.albums USING btree (share_id) WHERE (share_id IS NOT NULL);

CREATE INDEX albums_by_updated_at ON public.albums USING btree (user_id, updated_at, id);

CREATE INDEX albums_shared ON public.albums USING btree (user_id, id) WHERE is_shared;

CREATE INDEX audit_log_at ON public.audit_log USING btree (at);

CREATE INDEX collection_items_media_item_id ON public.collection_items USING btree (media_item_id);

CREATE INDEX collection_items_unready ON public.collection_items USING btree (collection_id) WHERE ((visibility = 'visible'::text) AND (NOT is_ready));

CREATE INDEX collection_items_visible ON public.collection_items USING btree (collection_id, local_time DESC, media_item_id DESC) WHERE (visibility = 'visible'::text);

CREATE INDEX collections_by_name ON public.collections USING btree (user_id, kind, sort_name, id) WHERE is_filled;

CREATE INDEX collections_cover_id ON public.collections USING btree (cover_id) WHERE (cover_id IS NOT NULL);

CREATE INDEX collections_user_id ON public.collections USING btree (user_id);

CREATE INDEX component_runs_blocked ON public.component_runs USING btree (component, blocked_on) WHERE (state = 'BLOCKED'::text);

CREATE INDEX component_runs_of_job ON public.component_runs USING btree (job_id, media_item_id) WHERE (job_id IS NOT NULL);

CREATE INDEX component_runs_pending ON public.component_runs USING btree (component, type, next_attempt_at) WHERE (state = 'PENDING'::text);

CREATE INDEX component_runs_running ON public.component_runs USING btree (lease_until) WHERE (state = 'RUNNING'::text);

CREATE INDEX component_runs_switched_off ON public.component_runs USING btree (component, user_id, media_item_id) WHERE ((state = 'SKIPPED'::text) AND (reason = 'FEATURE_OFF'::text));

CREATE INDEX component_runs_unsettled ON public.component_runs USING btree (user_id, state, component, reason, media_item_id) WHERE (state = ANY (ARRAY['PENDING'::text, 'RUNNING'::text, 'FAILED'::text, 'BLOCKED'::text]));

CREATE INDEX duplicate_groups_open ON public.duplicate_groups USING btree (user_id, id DESC) WHERE ((item_count >= 2) AND (reviewed_at IS NULL));

CREATE INDEX duplicate_groups_reviewed ON public.duplicate_groups USING btree (user_id, id DESC) WHERE (((item_count + trashed_count) >= 2) AND (reviewed_at IS NOT NULL));

CREATE INDEX duplicate_groups_user_id ON public.duplicate_groups USING btree (user_id);

CREATE INDEX embedding_signatures_owner ON public.embedding_signatures USING btree (user_id, model);

CREATE INDEX face_embeddings_written_of_user ON public.face_embeddings USING btree (user_id, written);

CREATE INDEX face_rejections_person_id ON public.face_rejections USING btree (person_id);

CREATE INDEX faces_best ON public.faces USING btree (person_id, visibility, quality DESC, id);

CREATE INDEX faces_media_item_id ON public.faces USING btree (media_item_id);

CREATE INDEX jobs_newest ON public.jobs USING btree (user_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX jobs_unfinished ON public.jobs USING btree (user_id) WHERE (status = ANY (ARRAY['SCHEDULED'::text, 'RUNNING'::text, 'PAUSED'::text]));

CREATE INDEX known_networks_at ON public.known_networks USING btree (at);

CREATE INDEX login_attempts_at ON public.login_attempts USING btree (at);

CREATE INDEX login_attempts_subject ON public.login_attempts USING btree (subject, at);

CREATE INDEX map_deltas_user_id ON public.map_deltas USING btree (user_id, cell);

CREATE INDEX media_item_embeddings_owner ON public.media_item_embeddings USING btree (user_id, model, media_item_id);

CREATE INDEX media_item_places_place_id ON public.media_item_places USING btree (place_id, postcode);

CREATE INDEX media_items_by_id ON public.media_items USING btree (user_id, id);

CREATE INDEX media_items_cameras ON public.media_items USING btree (user_id, camera_key(camera_make, camera_model) COLLATE "C") WHERE ((visibility = 'visible'::text) AND ((camera_make IS NOT NULL) OR (camera_model IS NOT NULL)));

CREATE UNIQUE INDEX media_items_checksum ON public.media_items USING btree (user_id, checksum) WHERE (removing_at IS NULL);

CREATE INDEX media_items_deleted ON public.media_items USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX media_items_favourites ON public.media_items USING btree (user_id, local_time DESC, id DESC) WHERE ((visibility = 'visible'::text) AND is_favourite);

CREATE INDEX media_items_filename ON public.media_items USING btree (user_id, "left"(fold_search_text(filename), 100) COLLATE "C") WHERE ((visibility = 'visible'::text) AND has_long_number(filename));

CREATE INDEX media_items_hidden ON public.media_items USING btree (user_id, local_time DESC, id DESC) WHERE (visibility = 'hidden'::text);

CREATE INDEX media_items_hidden_ids ON public.media_items USING btree (user_id, id, motion_item_id) WHERE is_hidden;

CREATE INDEX media_items_live ON public.media_items USING btree (user_id, content_identifier) WHERE (content_identifier IS NOT NULL);

CREATE INDEX media_items_map ON public.media_items USING btree (user_id, map_cell(latitude, longitude), id) WHERE ((visibility = 'visible'::text) AND (latitude IS NOT NULL) AND (longitude IS NOT NULL));

CREATE INDEX media_items_not_photos ON public.media_items USING btree (user_id, type, local_time DESC, id DESC) WHERE ((visibility = 'visible'::text) AND (type <> 'PHOTO'::text));

CREATE INDEX media_items_removing ON public.media_items USING btree (removing_at) WHERE (removing_at IS NOT NULL);

CREATE INDEX media_items_special ON public.media_items USING btree (user_id, category, local_time DESC, id DESC) WHERE ((visibility = 'visible'::text) AND (category <> 'DEFAULT'::text));

CREATE INDEX media_items_trash ON public.media_items USING btree (user_id, local_time DESC, id DESC) WHERE (visibility = 'trash'::text);

CREATE INDEX media_items_unready ON public.media_items USING btree (user_id, status, local_time DESC, id DESC) WHERE ((visibility = 'visible'::text) AND (status <> 'READY'::text));

CREATE INDEX media_items_visible ON public.media_items USING btree (user_id, local_time DESC, id DESC) INCLUDE (type, category, status) WHERE (visibility = 'visible'::text);

CREATE INDEX merged_faces_face_id ON public.merged_faces USING btree (face_id);

CREATE INDEX merged_people_cover_id ON public.merged_people USING btree (cover_id) WHERE (cover_id IS NOT NULL);

CREATE INDEX merged_people_into_id ON public.merged_people USING btree (into_id);

CREATE INDEX merged_people_person_id ON public.merged_people USING btree (person_id);

CREATE INDEX merged_rejections_face_id ON public.merged_rejections USING btree (face_id);

CREATE INDEX original_checks_due ON public.original_checks USING btree (checked_at);

CREATE INDEX original_checks_faults ON public.original_checks USING btree (user_id, state, media_item_id) WHERE (state <> 'OK'::text);

CREATE INDEX people_user_id ON public.people USING btree (user_id);

CREATE INDEX picture_hashes_band_0 ON public.picture_hashes USING btree (user_id, band_0, is_centre);

CREATE INDEX picture_hashes_band_1 ON public.picture_hashes USING btree (user_id, band_1, is_centre);

CREATE INDEX picture_hashes_band_2 ON public.picture_hashes USING btree (user_id, band_2, is_centre);

CREATE INDEX picture_hashes_band_3 ON public.picture_hashes USING btree (user_id, band_3, is_centre);

CREATE INDEX picture_hashes_best ON public.picture_hashes USING btree (group_id, score DESC, media_item_id) WHERE (visibility = 'visible'::text);

CREATE INDEX picture_hashes_group ON public.picture_hashes USING btree (group_id, is_centre, media_item_id);

CREATE INDEX picture_hashes_set_aside ON public.picture_hashes USING btree (group_id, media_item_id) WHERE is_set_aside;

CREATE INDEX places_by_name ON public.places USING btree (user_id, sort_name, id);

CREATE UNIQUE INDEX places_identity ON public.places USING btree (user_id, country_code, COALESCE(state, ''::text), COALESCE(city, ''::text), COALESCE(town, ''::text));

CREATE INDEX search_words_collection_id ON public.search_words USING btree (collection_id) WHERE (collection_id IS NOT NULL);

CREATE INDEX search_words_edits ON public.search_words USING gin (edits) WITH (fastupdate=off);

CREATE INDEX search_words_names ON public.search_words USING btree (user_id, word) INCLUDE (collection_id, field) WHERE (collection_id IS NOT NULL);

CREATE INDEX search_words_word ON public.search_words USING btree (user_id, word, field);

CREATE INDEX sessions_expires_at ON public.sessions USING btree (expires_at);

CREATE INDEX sessions_user_id ON public.sessions USING btree (user_id);

CREATE INDEX things_by_name ON public.things USING btree (user_id, sort_name, id);

CREATE INDEX uploads_expires_at ON public.uploads USING btree (expires_at);

CREATE INDEX uploads_received ON public.uploads USING btree (created_at) WHERE ((media_item_id IS NULL) AND (received_bytes = length_bytes));

CREATE INDEX uploads_unfinished ON public.uploads USING btree (user_id) WHERE (media_item_id IS NULL);

CREATE INDEX uploads_user_id ON public.uploads USING btree (user_id);

CREATE INDEX user_storage_deltas_user_id ON public.user_storage_deltas USING btree (user_id) INCLUDE (bytes);

CREATE INDEX users_by_name ON public.users USING btree (sort_name, id) WHERE (removing_at IS NULL);

CREATE UNIQUE INDEX users_username_key ON public.users USING btree (username_key) WHERE (removing_at IS NULL);

CREATE TRIGGER albums_words AFTER INSERT ON public.albums FOR EACH ROW EXECUTE FUNCTION write_collection_words('a');

CREATE TRIGGER albums_words_changed AFTER UPDATE ON public.albums FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.is_hidden IS DISTINCT FROM new.is_hidden))) EXECUTE FUNCTION write_collection_words('a');

CREATE TRIGGER collection_items_counts_delete AFTER DELETE ON public.collection_items REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION append_collection_deltas('-1');

CREATE TRIGGER collection_items_counts_insert AFTER INSERT ON public.collection_items REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION append_collection_deltas('1');

CREATE TRIGGER collection_items_counts_update AFTER UPDATE ON public.collection_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION append_collection_deltas_of_update();

CREATE TRIGGER collections_counts_delete AFTER DELETE ON public.collections REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_counts_of_collections();

CREATE TRIGGER media_item_embeddings_signature AFTER INSERT OR UPDATE ON public.media_item_embeddings FOR EACH ROW EXECUTE FUNCTION write_embedding_signature();

CREATE TRIGGER media_item_places_collection AFTER INSERT OR DELETE ON public.media_item_places FOR EACH ROW WHEN ((NOT is_removing_account())) EXECUTE FUNCTION put_item_into_place();

CREATE TRIGGER media_item_places_moved AFTER UPDATE ON public.media_item_places FOR EACH ROW WHEN ((old.place_id IS DISTINCT FROM new.place_id)) EXECUTE FUNCTION put_item_into_place();

CREATE TRIGGER media_item_places_words AFTER INSERT OR DELETE OR UPDATE ON public.media_item_places FOR EACH ROW WHEN ((NOT is_removing_account())) EXECUTE FUNCTION write_search_words_of_item('media_item_id');

CREATE TRIGGER media_item_texts_words AFTER INSERT OR DELETE OR UPDATE ON public.media_item_texts FOR EACH ROW WHEN ((NOT is_removing_account())) EXECUTE FUNCTION write_search_words_of_item('media_item_id');

CREATE TRIGGER media_item_words_delete AFTER DELETE ON public.media_item_words REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION delete_search_postings();

CREATE TRIGGER media_items_collections AFTER UPDATE ON public.media_items FOR EACH ROW WHEN (((old.local_time IS DISTINCT FROM new.local_time) OR (old.visibility IS DISTINCT FROM new.visibility) OR ((old.status = 'READY'::text) IS DISTINCT FROM (new.status = 'READY'::text)))) EXECUTE FUNCTION follow_media_item();

CREATE TRIGGER media_items_counts_delete AFTER DELETE ON public.media_items REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT WHEN ((NOT is_removing_account())) EXECUTE FUNCTION append_library_deltas('-1');

CREATE TRIGGER media_items_counts_insert AFTER INSERT ON public.media_items REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION append_library_deltas('1');

CREATE TRIGGER media_items_counts_update AFTER UPDATE ON public.media_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION append_library_deltas_of_update();

CREATE TRIGGER media_items_embeddings AFTER UPDATE ON public.media_items FOR EACH ROW WHEN ((old.visibility IS DISTINCT FROM new.visibility)) EXECUTE FUNCTION follow_media_item_embeddings();

CREATE TRIGGER media_items_events_delete AFTER DELETE ON public.media_items REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT WHEN ((NOT is_removing_account())) EXECUTE FUNCTION append_events('removed');

CREATE TRIGGER media_items_events_insert AFTER INSERT ON public.media_items REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION append_events('created');

CREATE TRIGGER media_items_events_update AFTER UPDATE ON public.media_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION append_events_of_update();

CREATE TRIGGER media_items_faces AFTER UPDATE ON public.media_items FOR EACH ROW WHEN ((old.visibility IS DISTINCT FROM new.visibility)) EXECUTE FUNCTION follow_media_item_faces();

CREATE TRIGGER media_items_map_delete AFTER DELETE ON public.media_items FOR EACH ROW WHEN (((old.latitude IS NOT NULL) AND (NOT is_removing_account()))) EXECUTE FUNCTION append_map_deltas();

CREATE TRIGGER media_items_map_insert AFTER INSERT ON public.media_items FOR EACH ROW WHEN ((new.latitude IS NOT NULL)) EXECUTE FUNCTION append_map_deltas();

CREATE TRIGGER media_items_map_update AFTER UPDATE ON public.media_items FOR EACH ROW WHEN ((((old.latitude IS NOT NULL) OR (new.latitude IS NOT NULL)) AND ((((old.user_id IS DISTINCT FROM new.user_id) OR (old.visibility IS DISTINCT FROM new.visibility)) OR (old.latitude IS DISTINCT FROM new.latitude)) OR (old.longitude IS DISTINCT FROM new.longitude)))) EXECUTE FUNCTION append_map_deltas();

CREATE TRIGGER media_items_picture_hash AFTER UPDATE ON public.media_items FOR EACH ROW WHEN (((((((((old.visibility IS DISTINCT FROM new.visibility) OR (old.is_favourite IS DISTINCT FROM new.is_favourite)) OR (old.description IS DISTINCT FROM new.description)) OR (old.width_px IS DISTINCT FROM new.width_px)) OR (old.height_px IS DISTINCT FROM new.height_px)) OR (old.category IS DISTINCT FROM new.category)) OR (old.mime_type IS DISTINCT FROM new.mime_type)) OR (old.motion_item_id IS DISTINCT FROM new.motion_item_id))) EXECUTE FUNCTION follow_picture_hash();

CREATE TRIGGER media_items_storage_delete AFTER DELETE ON public.media_items REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT WHEN ((NOT is_removing_account())) EXECUTE FUNCTION append_storage_deltas('-1');

CREATE TRIGGER media_items_storage_insert AFTER INSERT ON public.media_items REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION append_storage_deltas('1');

CREATE TRIGGER media_items_words_insert AFTER INSERT ON public.media_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_search_words_of_inserted();

CREATE TRIGGER media_items_words_move AFTER UPDATE ON public.media_items FOR EACH ROW WHEN (((NOT ((((old.filename IS DISTINCT FROM new.filename) OR (old.description IS DISTINCT FROM new.description)) OR (old.camera_make IS DISTINCT FROM new.camera_make)) OR (old.camera_model IS DISTINCT FROM new.camera_model))) AND ((old.local_time IS DISTINCT FROM new.local_time) OR (old.visibility IS DISTINCT FROM new.visibility)))) EXECUTE FUNCTION move_search_postings();

CREATE TRIGGER media_items_words_update AFTER UPDATE ON public.media_items FOR EACH ROW WHEN (((((old.filename IS DISTINCT FROM new.filename) OR (old.description IS DISTINCT FROM new.description)) OR (old.camera_make IS DISTINCT FROM new.camera_make)) OR (old.camera_model IS DISTINCT FROM new.camera_model))) EXECUTE FUNCTION write_search_words_of_item('id');

CREATE TRIGGER people_collection AFTER INSERT ON public.people FOR EACH ROW EXECUTE FUNCTION make_collection('person');

CREATE TRIGGER people_words AFTER INSERT ON public.people FOR EACH ROW EXECUTE FUNCTION write_collection_words('i');

CREATE TRIGGER people_words_changed AFTER UPDATE ON public.people FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.is_hidden IS DISTINCT FROM new.is_hidden))) EXECUTE FUNCTION write_collection_words('i');

CREATE TRIGGER picture_hashes_delete AFTER DELETE ON public.picture_hashes FOR EACH ROW WHEN ((NOT is_removing_account())) EXECUTE FUNCTION count_duplicates();

CREATE TRIGGER picture_hashes_insert AFTER INSERT ON public.picture_hashes FOR EACH ROW EXECUTE FUNCTION count_duplicates();

CREATE TRIGGER picture_hashes_update AFTER UPDATE ON public.picture_hashes FOR EACH ROW WHEN ((((old.group_id IS DISTINCT FROM new.group_id) OR (old.visibility IS DISTINCT FROM new.visibility)) OR (old.is_set_aside IS DISTINCT FROM new.is_set_aside))) EXECUTE FUNCTION count_duplicates();

CREATE TRIGGER places_collection AFTER INSERT ON public.places FOR EACH ROW EXECUTE FUNCTION make_collection('place');

CREATE TRIGGER places_words AFTER INSERT ON public.places FOR EACH ROW EXECUTE FUNCTION write_collection_words('l');

CREATE TRIGGER things_collection AFTER INSERT ON public.things FOR EACH ROW EXECUTE FUNCTION make_collection('thing');

CREATE TRIGGER things_words AFTER INSERT ON public.things FOR EACH ROW EXECUTE FUNCTION write_collection_words('o');

CREATE TRIGGER things_words_changed AFTER UPDATE ON public.things FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.synonyms IS DISTINCT FROM new.synonyms))) EXECUTE FUNCTION write_collection_words('o');

CREATE TRIGGER users_events_delete AFTER DELETE ON public.users REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION delete_events_of_users();
