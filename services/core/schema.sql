-- Made of the migrations by npm run docs:schema, to read and to compare: in the order of names, not one in which it would run.

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
  -- Of a whole page only the beginning: joined words are new to the dictionary, nearly all of them.
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
        -- The position of people without a name; null for the others.
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
        -- Latin letters that do not decompose; Greek, Cyrillic and Armenian capitals.
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
    -- Their effect is seen in the visibility.
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

-- Machine: an item that there will never be, or never again, see [Note: Abandoned items]. Noted before its objects go, so that an upload that was held up between its object and its row writes no row without bytes; forgotten when nobody can still be at that.
create table abandoned_items (
  media_item_id uuid not null, -- The id that the item has or would have had.
  abandoned_at timestamp with time zone not null default now(), -- When it was noted.
  constraint abandoned_items_pkey PRIMARY KEY (media_item_id)
);

-- Truth: a collection that a user puts together by hand.
create table albums (
  id uuid not null, -- The collection that it is.
  user_id uuid not null, -- The user who has made it.
  name text not null, -- What its owner calls it.
  description text, -- What its owner has written about it.
  share_id uuid, -- Opens the album to anybody who knows it; null while the album is not shared. Sharing again makes a new one.
  is_shared boolean not null generated always as ((share_id IS NOT NULL)) stored, -- Whether anybody with its link can see it.
  is_hidden boolean not null default false, -- Whether its owner has taken it out of the lists.
  created_at timestamp with time zone not null default now(), -- When it was made.
  updated_at timestamp with time zone not null default now(), -- When it was last changed.
  sort_name text collate "C" not null generated always as (sort_key_of(name)) stored, -- The key that albums are sorted by, see [Note: Names in order].
  constraint albums_id_fkey FOREIGN KEY (id) REFERENCES collections(id) ON DELETE CASCADE,
  constraint albums_pkey PRIMARY KEY (id),
  constraint albums_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Derived: by the embeddings of which model a library is searched, see [Note: Change of model]; no row before the first embedding.
create table answering_models (
  user_id uuid not null, -- Whose library it is.
  model text not null, -- The model that has an embedding of everything.
  wanted_model text, -- The model that is to answer once it has; null while no other one is wanted.
  looked_to uuid, -- The last item that was looked at for an embedding of the wanted model, in the order of ids; the greatest id when all have been.
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

-- Truth: what has happened around signing in, accounts and shares, for the administrator; kept for 90 days. Without foreign keys: it tells of accounts that are gone. It holds no name that was typed, no token and no id of a share.
create table audit_log (
  id bigint not null generated always as identity, -- The order of entries.
  at timestamp with time zone not null default now(), -- When the entry was written.
  action text not null, -- What has happened, such as a sign-in or a change of a password.
  actor text not null, -- Whether a user, the administrator or nobody who is known has done it.
  user_id uuid, -- The account that it is about, also when it is gone.
  subject text, -- What else it is about: the administrator, a session by its id, an album by a word that leads to no share.
  address text, -- The address of the client.
  request_id text, -- The request, as in X-Request-Id and in the log.
  constraint audit_log_pkey PRIMARY KEY (id)
);

-- Truth: an item that is in a collection.
create table collection_items (
  collection_id uuid not null, -- The collection that the item is in.
  media_item_id uuid not null, -- The item that is in the collection.
  local_time timestamp without time zone not null, -- The item's own, kept here by a trigger, so that a page is read from one index.
  visibility text not null, -- The item's own, kept here by a trigger too.
  is_ready boolean not null default true, -- Whether visitors are shown it. Whoever puts an item into an album says it; of other collections nobody asks.
  confidence real, -- How sure it is that the item shows the thing, 0 to 1; null of other collections.
  constraint collection_items_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE,
  constraint collection_items_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
  constraint collection_items_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint collection_items_pkey PRIMARY KEY (collection_id, media_item_id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02, fillfactor=85);

-- Truth: something that items are put together in. The items of every kind of collection are listed, counted and jumped into by one mechanism, so that all of them cost the same at the end of a million items as at their beginning.
create table collections (
  id uuid not null, -- Names the collection, and the album, place, thing or person that it is.
  user_id uuid not null, -- The user whose collection it is.
  kind text not null, -- Which table has its other half.
  cover_id uuid, -- The cover that was chosen by hand; counts while it is a visible item of the collection.
  item_count integer not null default 0, -- How many visible items it has, but for what count_deltas says: the sum of its counts, written with them. In this row, so that places, things and people without a visible item are left out of their lists without a look at the items of each.
  is_filled boolean not null generated always as ((item_count > 0)) stored, -- Whether there is a visible item.
  sort_name text collate "C", -- The name of a place or thing, which keeps it, as names are sorted; null for albums and people.
  constraint collections_cover_id_fkey FOREIGN KEY (cover_id) REFERENCES media_items(id) ON DELETE SET NULL,
  constraint collections_kind_check CHECK ((kind = ANY (ARRAY['album'::text, 'place'::text, 'thing'::text, 'person'::text]))),
  constraint collections_pkey PRIMARY KEY (id),
  constraint collections_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.05);

-- Machine: how far the search for results of earlier versions of a component has come.
create table component_checks (
  component text not null, -- The component whose results are looked through; one that was never looked at has no row.
  version integer not null, -- The version that is wanted; results of earlier ones are made again.
  checked_to uuid, -- The last item that was looked at, in the order of ids; null when all have been.
  constraint component_checks_pkey PRIMARY KEY (component)
);

-- Truth: what a component has made of an item, or has still to make; the queues are filled from here.
create table component_runs (
  media_item_id uuid not null, -- The item that the run is of.
  user_id uuid not null, -- The item's own, which never changes: whose library waits for it.
  component text not null, -- The component that runs.
  type text not null, -- The item's own, which never changes: with the component it says in which pool the run is done.
  version integer not null, -- The version of the component that made the result, or is to make it.
  state text not null default 'PENDING'::text, -- How far the run has come.
  attempts integer not null default 0, -- How often it has been begun.
  claim_id uuid, -- Who runs it: the guard of every write of its outcome.
  lease_until timestamp with time zone, -- Until when a RUNNING run counts as alive.
  next_attempt_at timestamp with time zone not null default now(), -- When a PENDING run is due.
  blocked_on text, -- The capability that this installation lacked, such as 'decode image/jpeg'.
  reason text, -- Why it failed or is blocked.
  warnings text[] not null default '{}'::text[], -- What its owner should know of a result that is not all it could be.
  finished_at timestamp with time zone, -- When it had its outcome.
  progress smallint, -- How far a run that takes long has come, in percent; not of an item, since its owner is not told of every step.
  job_id uuid, -- The job that has made the run due, until there is an outcome.
  earlier jsonb, -- What the run was before the job: state, version, attempts and reason, which come back when the job is paused or stopped before the run has begun; null where there was no run.
  constraint component_runs_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint component_runs_pkey PRIMARY KEY (media_item_id, component)
) with (autovacuum_vacuum_scale_factor=0.02, fillfactor=80);

-- Derived: changes of counts that wait to be added to them, appended so that no two writers wait for one row.
create table count_deltas (
  id bigint not null generated always as identity, -- The order in which rows came.
  user_id uuid not null, -- The user whose list has changed.
  list_id uuid not null, -- The list that has changed: the user, for the library, or one of the user's collections.
  visibility text not null, -- The list of the library by which the items are shown; of a collection the visible ones are counted.
  day date not null, -- The day of the items, in local time; of a collection the first day of their month.
  type text, -- The type of the items; null for collections.
  category text, -- The category of the items; null for collections.
  status text, -- The status of the items; null for collections.
  is_favourite boolean, -- Whether the items are favourites; null for collections.
  n integer not null, -- How many more items there are; negative where there are fewer.
  constraint count_deltas_pkey PRIMARY KEY (user_id, list_id, id)
) with (autovacuum_vacuum_scale_factor=0.1);

-- Derived: how many items counted lists have in each month, but for what count_deltas says.
create table counts (
  user_id uuid not null, -- The user whose list it is.
  list_id uuid not null, -- The user, for the library, or one of the user's collections.
  visibility text not null, -- By which of the library's lists these items are shown; of a collection the visible ones are counted.
  month date not null, -- The first day of the month in which the items were taken, in local time.
  type text, -- The type of the items that are counted. Null, with the three columns below, where items of all kinds are: the only row of a month of a collection, and one of a librarys.
  category text, -- The category of the items that are counted; null as type is.
  status text, -- The status of the items that are counted; null as type is.
  is_favourite boolean, -- Whether the items that are counted are favourites; null as type is.
  n integer not null, -- How many items there are of this month and kind, but for what count_deltas says.
  days integer[], -- How many there are on each day, the first day first; as many elements as the longest month has. Null for collections.
  constraint counts_check CHECK (((days IS NULL) = (list_id <> user_id))),
  constraint counts_days_check CHECK ((array_length(days, 1) = 31)),
  constraint counts_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint counts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint counts_user_id_list_id_visibility_type_category_status_is_f_key UNIQUE NULLS NOT DISTINCT (user_id, list_id, visibility, type, category, status, is_favourite, month)
) with (autovacuum_vacuum_scale_factor=0.05, fillfactor=70);

-- Truth: two photos and more that show the same, in whichever list, with what their owner has said of them, see [Note: Duplicates].
create table duplicate_groups (
  id uuid not null, -- That of the item which was its centre first, unless another group had that already.
  user_id uuid not null, -- Whose photos they are.
  member_count integer not null, -- How many it has, in whichever list; two or more.
  item_count integer not null, -- How many of them are visible.
  trashed_count integer not null, -- How many of them are in the trash by the review of the group.
  reviewed_at timestamp with time zone, -- When its owner has reviewed it; null again once another visible one has joined it.
  kept_id uuid, -- The item that was given what those had that its review moved to the trash.
  given_albums uuid[] not null default '{}'::uuid[], -- The albums into which that one was put.
  gave_favourite boolean not null default false, -- Whether that one became a favourite.
  given_description text, -- The description that it was given, where it had none.
  revision bigint not null default nextval('duplicate_group_revisions'::regclass), -- Another number whenever a visible photo has joined it or is visible again; no number is given twice, also not to a group that is made anew.
  constraint duplicate_groups_pkey PRIMARY KEY (id),
  constraint duplicate_groups_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
) with (fillfactor=85);

-- Derived: the signs of the numbers of an embedding, by which the nearest are chosen that are then compared exactly, see [Note: Derived vectors].
create table embedding_signatures (
  media_item_id uuid not null, -- The item whose embedding it is of.
  model text not null, -- The model of the embedding.
  user_id uuid not null, -- The owner of the item.
  visibility text not null, -- The item's own, kept here by a trigger, so that a scan need not look at the items.
  signature bit(512) not null, -- A bit for each number: 0 for a negative one.
  constraint embedding_signatures_media_item_id_model_fkey FOREIGN KEY (media_item_id, model) REFERENCES media_item_embeddings(media_item_id, model) ON DELETE CASCADE,
  constraint embedding_signatures_pkey PRIMARY KEY (media_item_id, model)
);

-- Machine: the last event of each library that is no longer kept: a reader that stands before it has missed some.
create table event_horizons (
  user_id uuid not null, -- The user whose library it is.
  xid xid8 not null, -- The transaction of the last event that is no longer kept.
  id bigint not null, -- The id of that event within its transaction.
  constraint event_horizons_pkey PRIMARY KEY (user_id),
  constraint event_horizons_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Machine: something that happened to a library, for those who watch it live (GET /v1/events); kept for a day at most. It names what changed and says nothing of it: readers are told the present state, and may be told it twice. Without foreign keys: what a row names may be gone, and that it went is what the row tells.
create table events (
  user_id uuid not null, -- The user in whose library it happened.
  xid xid8 not null default pg_current_xact_id(), -- The transaction that made the change.
  id bigint not null generated always as identity, -- The order within the transaction.
  kind text not null, -- The kind of what has changed, such as 'mediaItem'.
  subject_id uuid not null, -- The id of what has changed.
  change text not null, -- What happened to it.
  created_at timestamp with time zone not null default now(), -- When the transaction began.
  constraint events_change_check CHECK ((change = ANY (ARRAY['created'::text, 'updated'::text, 'removed'::text]))),
  constraint events_pkey PRIMARY KEY (user_id, xid, id)
);

-- Derived: what tells a face from others, by the component FACES, see [Note: Faces that are alike]. It is in no answer of the API.
create table face_embeddings (
  face_id uuid not null, -- The face that is recognised by it.
  user_id uuid not null, -- The user on whose item the face is.
  version integer not null, -- Only embeddings of one version can be compared.
  embedding bytea not null, -- Half floats, the lower byte first, of length 1 together.
  is_founding boolean not null, -- Whether the face is good enough to make a person known; any other one only joins somebody.
  likeness real, -- Of a face that founds nobody: how like it the founding face is by which it has its person, −1 to 1; null where there is none.
  written bigint not null default nextval('face_embeddings_written'::regclass), -- Rises with each embedding that is written: whoever has read those of a user reads on behind the last one.
  constraint face_embeddings_face_id_fkey FOREIGN KEY (face_id) REFERENCES faces(id) ON DELETE CASCADE,
  constraint face_embeddings_pkey PRIMARY KEY (face_id),
  constraint face_embeddings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Truth: a user has said that this face is not that person's.
create table face_rejections (
  face_id uuid not null, -- The face that was taken out of the person.
  person_id uuid not null, -- The person whose face it is not.
  created_at timestamp with time zone not null default clock_timestamp(), -- When it was said.
  constraint face_rejections_face_id_fkey FOREIGN KEY (face_id) REFERENCES faces(id) ON DELETE CASCADE,
  constraint face_rejections_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
  constraint face_rejections_pkey PRIMARY KEY (face_id, person_id)
);

-- Truth: a face on an item, and whose it is. The box is in fractions of the upright picture.
create table faces (
  id uuid not null, -- Names the face, also in the key of its object.
  media_item_id uuid not null, -- The item on which the face was found.
  person_id uuid, -- The person whose face it is; null of one that founds no person, and that is like nobody who is known yet.
  box_left double precision not null, -- Where the box begins, from the left.
  box_top double precision not null, -- Where the box begins, from the top.
  box_width double precision not null, -- How wide the box is.
  box_height double precision not null, -- How high the box is.
  quality double precision not null, -- The higher, the better it stands for the person.
  thumbnail_key text not null, -- The object of the picture of the face.
  thumbnail_bytes integer, -- The size of that picture; null until the scrub has filled it in for older faces.
  visibility text not null, -- The item's own, kept here by a trigger, so that the best face that is shown of a person is read from one index; or `missed` of a face that the last run did not find, and of which a user has said something, see [Note: Faces that are missed].
  joined_at timestamp with time zone not null default clock_timestamp(), -- When the face by itself was last given to a person or taken away; that its person is merged or separated leaves it.
  constraint faces_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint faces_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
  constraint faces_pkey PRIMARY KEY (id)
);

-- Machine: a task of the housekeeper, so that daily ones are not done again at every restart.
create table housekeeping_tasks (
  name text not null, -- The task of the housekeeper.
  finished_at timestamp with time zone not null, -- When the task was last finished.
  constraint housekeeping_tasks_pkey PRIMARY KEY (name)
);

-- Truth: components to redo for every item of a user. A runner walks over the items in the order of their ids.
create table jobs (
  id uuid not null, -- Names the job in the API and in the runs that it has made due.
  user_id uuid not null, -- The user whose items are redone.
  components text[] not null, -- Which components are redone.
  status text not null default 'SCHEDULED'::text, -- How far the job has come; a user has one unfinished job at most.
  end_media_item_id uuid, -- The last item that there was when the job was made; null in an empty library.
  last_media_item_id uuid, -- Up to this one every item has been handled.
  opened_to uuid, -- Up to this one runs have been made due; those between the two are the job's window.
  total integer not null, -- How many items there were when the job was made.
  done integer not null default 0, -- How many items have been handled.
  failed integer not null default 0, -- Of how many of the handled items something failed.
  created_at timestamp with time zone not null default now(), -- When the job was made.
  updated_at timestamp with time zone not null default now(), -- When the job was last changed.
  constraint jobs_pkey PRIMARY KEY (id),
  constraint jobs_status_check CHECK ((status = ANY (ARRAY['SCHEDULED'::text, 'RUNNING'::text, 'PAUSED'::text, 'COMPLETED'::text, 'STOPPED'::text]))),
  constraint jobs_total_check CHECK ((total >= 0)),
  constraint jobs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Machine: an account, or the administrator, beside a network from which it signed in lately.
create table known_networks (
  subject bytea not null, -- A hash of both, as in login_attempts.
  at timestamp with time zone not null, -- When it last signed in from there.
  constraint known_networks_pkey PRIMARY KEY (subject)
);

-- Machine: who does what only one process may do.
create table leases (
  name text not null, -- The work that only one process may do.
  holder uuid not null, -- The process that does it.
  fencing bigint not null, -- Rises with each new holder. Writes done under a lease carry it, so that a holder that was frozen and wakes up writes nothing.
  held_until timestamp with time zone not null, -- Until when the lease holds unless it is renewed.
  constraint leases_pkey PRIMARY KEY (name)
);

-- Truth: the id of this library, in one row. The object store carries it in a marker, so that no process writes to the wrong store.
create table library (
  id uuid not null default gen_random_uuid(), -- Made once with the database, and kept for ever.
  is_only boolean not null default true, -- Always true: it allows one row only.
  constraint library_is_only_check CHECK (is_only),
  constraint library_is_only_key UNIQUE (is_only),
  constraint library_pkey PRIMARY KEY (id)
);

-- Machine: an attempt to sign in as it counts against one subject, the account that was named or the network it came from; kept for a little more than an hour.
create table login_attempts (
  id uuid not null, -- Names the attempt, which has a row for each of its subjects.
  subject bytea not null, -- A hash of the subject, since people type passwords where a user name belongs.
  is_pending boolean not null, -- Whether its password is still being checked; else it has failed.
  at timestamp with time zone not null, -- When it began, and then when it failed.
  constraint login_attempts_pkey PRIMARY KEY (id, subject)
);

-- Derived: the visible items that were taken in a cell of the map. Positions are summed in ten-millionths of a degree, 1 cm: whole numbers add up and away again without a rest.
create table map_cells (
  user_id uuid not null, -- The user whose items are counted.
  level smallint not null, -- How fine the cell is.
  cell bigint not null, -- The number of the cell on its level.
  n integer not null, -- How many items, but for what map_deltas has.
  latitude_e7 bigint not null, -- The sum of the latitudes of these items.
  longitude_e7 bigint not null, -- The sum of the longitudes of these items.
  constraint map_cells_pkey PRIMARY KEY (user_id, level, cell),
  constraint map_cells_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
) with (autovacuum_vacuum_scale_factor=0.05, fillfactor=70);

-- Derived: what has changed since; the housekeeper rolls it up into map_cells.
create table map_deltas (
  id bigint not null generated always as identity, -- The order in which rows came.
  user_id uuid not null, -- The user whose items have come or gone.
  cell bigint not null, -- The cell of the finest level.
  n integer not null, -- How many items have come, or with a minus, have gone.
  latitude_e7 bigint not null, -- The sum of the latitudes of these items.
  longitude_e7 bigint not null, -- The sum of the longitudes of these items.
  constraint map_deltas_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0.1);

-- Derived: what the picture of an item means to a model, by the component SEARCH. It is in no answer of the API.
create table media_item_embeddings (
  media_item_id uuid not null, -- The item whose picture it is.
  model text not null, -- Only embeddings of one model can be compared, see [Note: Change of model].
  user_id uuid not null, -- The item's own, which never changes.
  embedding bytea not null, -- 512 half floats, the lower byte first, of length 1 together.
  constraint media_item_embeddings_embedding_check CHECK ((length(embedding) = 1024)),
  constraint media_item_embeddings_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint media_item_embeddings_model_check CHECK ((model <> ''::text)),
  constraint media_item_embeddings_pkey PRIMARY KEY (media_item_id, model),
  constraint media_item_embeddings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Derived: the place of an item, by the component PLACES: one, or none.
create table media_item_places (
  media_item_id uuid not null, -- The item that was taken at the place.
  place_id uuid not null, -- The place at which the item was taken.
  postcode text, -- The item's, not the place's: a city has hundreds.
  constraint media_item_places_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint media_item_places_pkey PRIMARY KEY (media_item_id),
  constraint media_item_places_place_id_fkey FOREIGN KEY (place_id) REFERENCES places(id) ON DELETE CASCADE,
  constraint media_item_places_postcode_check CHECK ((postcode <> ''::text))
);

-- Derived: text in a picture, by the component OCR. Visitors of a shared album are not told it.
create table media_item_texts (
  media_item_id uuid not null, -- The item whose picture shows the text.
  content text not null, -- The text that was read, its lines one below the other, at most 10,000 characters.
  lines jsonb not null, -- The lines as clients see them: text, confidence from 0 to 1, and the four corners in fractions of the upright picture. One value, since nobody asks for one line of a picture.
  constraint media_item_texts_content_check CHECK ((content <> ''::text)),
  constraint media_item_texts_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint media_item_texts_pkey PRIMARY KEY (media_item_id)
);

-- Derived: the words of an item, and the values from which its postings were written.
create table media_item_words (
  media_item_id uuid not null, -- The item whose words these are.
  local_time timestamp without time zone not null, -- The local time in the postings of the item.
  is_listed boolean not null, -- Whether the item has postings, which only a visible item has.
  word_ids bigint[] not null, -- The ids of the item's words in search_words.
  constraint media_item_words_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint media_item_words_pkey PRIMARY KEY (media_item_id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02, fillfactor=85);

-- Truth: one photo or video of a library, with what components have read from its original.
create table media_items (
  id uuid not null, -- Names the item, also in the keys of its objects; ids grow with time.
  user_id uuid not null, -- Whose library it is in.
  checksum bytea not null, -- SHA-256 of the original.
  filename text not null, -- The name of the original as it was uploaded.
  description text, -- What its owner has written about it.
  mime_type text not null, -- The format of the original, told by its first bytes.
  size_bytes bigint not null, -- The size of the original.
  type text not null, -- Whether it is a photo or a video.
  category text not null default 'DEFAULT'::text, -- What kind of picture it is, such as a screenshot; LIVE only while the other half is there.
  unpaired_category text not null default 'DEFAULT'::text, -- The category while it is no half of a Live Photo.
  status text not null default 'PROCESSING'::text, -- How far its components have come, all together.
  is_favourite boolean not null default false, -- Whether its owner has marked it.
  is_hidden boolean not null default false, -- Whether its owner has taken it out of the lists.
  deleted_at timestamp with time zone, -- Since when it is in the trash.
  removing_at timestamp with time zone, -- Since when it is being removed for good: its objects first, then this row.
  taken_at timestamp with time zone not null, -- When it was taken.
  local_time timestamp without time zone not null, -- What a clock on the wall said where it was taken: the one sort order of the library.
  utc_offset_minutes integer, -- The minutes east of UTC of that clock, where they are known.
  client_taken_at timestamp with time zone, -- When it was taken by the uploader's word, for files that say nothing themselves.
  client_utc_offset_minutes integer, -- The minutes east of UTC of that time, where the uploader said them.
  width_px integer, -- The width of the picture when it is upright.
  height_px integer, -- The height of the picture when it is upright.
  latitude double precision, -- Where it was taken, in degrees north.
  longitude double precision, -- Where it was taken, in degrees east.
  camera_make text, -- Who made the camera.
  camera_model text, -- Which camera it was.
  focal_length_mm double precision, -- The focal length of the lens.
  aperture_f_number double precision, -- The aperture as the focal length divided by the opening.
  iso_equivalent double precision, -- The sensitivity of the sensor.
  exposure_time_s double precision, -- How long the picture was exposed.
  fps double precision, -- The frames per second that the file names.
  duration_s double precision, -- The length of the video that the file names.
  placeholder text, -- A ThumbHash in base64, shown until the thumbnail is there.
  preview_key text, -- The object of the preview, once there is one.
  preview_bytes bigint, -- The size of the preview; null where the original is the preview, and until the scrub has filled it in for older renditions.
  thumbnail_key text, -- The object of the thumbnail, once there is one.
  thumbnail_bytes integer, -- The size of the thumbnail, like preview_bytes.
  poster_key text, -- The object of a video's still, once there is one.
  poster_bytes integer, -- The size of the poster, like preview_bytes.
  probed_fps double precision, -- The frames per second by the decoder, where the file's own words say nothing.
  probed_duration_s double precision, -- The length of the video by the decoder, where the file's own words say nothing.
  content_identifier text, -- By what Apple's devices mark the photo and the video of one Live Photo.
  motion_item_id uuid, -- The item that is the video half of this Live Photo.
  motion_key text, -- The object of the clip of a Live Photo or motion photo as browsers play it, once there is one.
  motion_bytes bigint, -- The size of the clip, like preview_bytes; not used while another item's video is the clip.
  is_motion_half boolean not null default false, -- Whether it is shown in a photo, and not by itself.
  shared_video_key text, -- The object of the copy without metadata for visitors, of a video that is its own preview and of a clip in a photo.
  shared_video_bytes bigint, -- The size of the copy for visitors, like preview_bytes; not used while another item's copy is it.
  created_at timestamp with time zone not null default now(), -- When it was uploaded.
  updated_at timestamp with time zone not null default now(), -- When the row was last changed.
  visibility text not null generated always as (
CASE
    WHEN (removing_at IS NOT NULL) THEN 'removed'::text
    WHEN is_motion_half THEN 'paired'::text
    WHEN (deleted_at IS NOT NULL) THEN 'trash'::text
    WHEN is_hidden THEN 'hidden'::text
    ELSE 'visible'::text
END) stored, -- In which list the item is shown; every list and every count goes by this one definition.
  constraint media_items_checksum_check CHECK ((length(checksum) = 32)),
  constraint media_items_pkey PRIMARY KEY (id),
  constraint media_items_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02, fillfactor=85);

-- Truth: a face that somebody had who was merged into another person.
create table merged_faces (
  person_id uuid not null, -- The person who had it.
  face_id uuid not null, -- The face that was theirs.
  constraint merged_faces_face_id_fkey FOREIGN KEY (face_id) REFERENCES faces(id) ON DELETE CASCADE,
  constraint merged_faces_person_id_fkey FOREIGN KEY (person_id) REFERENCES merged_people(id) ON DELETE CASCADE,
  constraint merged_faces_pkey PRIMARY KEY (person_id, face_id)
);

-- Truth: somebody who was merged into another person by hand, as they were before, so that it can be taken back, see [Note: Merges that are taken back].
create table merged_people (
  id uuid not null, -- The id that the person had, and has again once it is taken back.
  person_id uuid not null, -- The person who has their faces now.
  into_id uuid not null, -- The person into whom they were merged: person_id, or somebody who was merged later and comes back first.
  name text, -- The name that they had.
  gave_name boolean not null, -- Whether the other one has the name from them; no longer once a user has named the other one.
  is_hidden boolean not null, -- Whether they were hidden.
  cover_id uuid, -- The cover that was chosen for them.
  created_at timestamp with time zone not null, -- When their first face was found.
  merged_at timestamp with time zone not null default clock_timestamp(), -- When they were merged.
  constraint merged_people_cover_id_fkey FOREIGN KEY (cover_id) REFERENCES media_items(id) ON DELETE SET NULL,
  constraint merged_people_name_check CHECK ((name <> ''::text)),
  constraint merged_people_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
  constraint merged_people_pkey PRIMARY KEY (id)
);

-- Truth: a user has said that this face is not that of somebody who was merged since; it holds of who has their faces, too.
create table merged_rejections (
  person_id uuid not null, -- The person whose face it is not.
  face_id uuid not null, -- The face that was taken out.
  created_at timestamp with time zone not null, -- When it was said.
  constraint merged_rejections_face_id_fkey FOREIGN KEY (face_id) REFERENCES faces(id) ON DELETE CASCADE,
  constraint merged_rejections_person_id_fkey FOREIGN KEY (person_id) REFERENCES merged_people(id) ON DELETE CASCADE,
  constraint merged_rejections_pkey PRIMARY KEY (person_id, face_id)
);

-- Machine: the last check of a stored original against its item; an item without a row has not been checked yet and counts as OK.
create table original_checks (
  media_item_id uuid not null, -- The item whose original was checked.
  user_id uuid not null, -- The owner of the item.
  state text not null, -- OK: size and SHA-256 match. DAMAGED: the stored bytes differ. MISSING: the store has no such object.
  checked_at timestamp with time zone not null default now(), -- When the original was last read whole, or found to be missing or of the wrong size.
  object_modified_at timestamp with time zone, -- The last write of the stored object at that check, by the clock of the store; null if MISSING. An object with another time has not been checked.
  constraint original_checks_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint original_checks_pkey PRIMARY KEY (media_item_id),
  constraint original_checks_state_check CHECK ((state = ANY (ARRAY['OK'::text, 'DAMAGED'::text, 'MISSING'::text])))
);

-- Machine: an original that no item names, as the orphan sweep has seen it, such as one that was uploaded after the backup that the database has been restored from. Without foreign keys, since its user may be as unknown here as its item.
create table orphans (
  user_id uuid not null, -- Whose it was, by its key.
  media_item_id uuid not null, -- Which item it was, by its key.
  size_bytes bigint not null, -- The size of the original.
  first_seen_at timestamp with time zone not null default now(), -- Since when it has been an orphan, without a break.
  last_seen_at timestamp with time zone not null default now(), -- When the sweep last saw it.
  constraint orphans_pkey PRIMARY KEY (user_id, media_item_id)
);

-- Truth: somebody who is seen on items of a user: the items of a person are those with a face of theirs.
create table people (
  id uuid not null, -- The collection that it is.
  user_id uuid not null, -- The user in whose library the person is.
  name text, -- The name that the user has given; null until then.
  is_hidden boolean not null default false, -- Whether the user has taken the person out of every list.
  created_at timestamp with time zone not null default now(), -- When the first face was found.
  updated_at timestamp with time zone not null default now(), -- When the person was last changed.
  sort_name text collate "C" generated always as (sort_key_of(name)) stored, -- The key that people are sorted by, see [Note: Names in order]; null without a name.
  constraint people_id_fkey FOREIGN KEY (id) REFERENCES collections(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint people_name_check CHECK ((name <> ''::text)),
  constraint people_pkey PRIMARY KEY (id),
  constraint people_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Truth: an account without the feature people, by its own switch or the server's, see [Note: People switched off].
create table people_off (
  user_id uuid not null, -- The account without the feature.
  since timestamp with time zone not null default now(), -- When the feature was first seen switched off; its names and faces are kept for 30 days from then on.
  forgetting_since timestamp with time zone, -- When the removal of its names and faces began; from then on it is finished even if the feature comes back.
  forgotten_at timestamp with time zone, -- When the removal was complete.
  constraint people_off_pkey PRIMARY KEY (user_id),
  constraint people_off_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Derived: how a photo looks, by the component SEARCH, and which photos show the same, see [Note: Duplicates]. It is in no answer of the API.
create table picture_hashes (
  media_item_id uuid not null, -- The photo that looks so.
  user_id uuid not null, -- The item's own, which never changes.
  hash bigint not null, -- A perceptual hash: pictures that look the same differ in few of its 64 bits.
  sharpness real not null, -- How much detail the picture has in 640 pixels, against its contrast.
  group_id uuid not null, -- The group that it is in, also of one alone, which has no row.
  is_centre boolean not null, -- Whether the others of its group are near it.
  is_set_aside boolean not null default false, -- Whether it is in the trash by the review of its group.
  visibility text not null, -- The item's own, kept here by a trigger.
  score bigint not null, -- How well it stands for its group: the highest one is proposed to be kept.
  band_0 integer not null generated always as ((((hash >> 48) & (65535)::bigint))::integer) stored, -- The first 16 bits of the hash. Of two hashes that differ in up to 7 bits, one of four bands differs in one bit at most.
  band_1 integer not null generated always as ((((hash >> 32) & (65535)::bigint))::integer) stored, -- The next 16 bits of the hash.
  band_2 integer not null generated always as ((((hash >> 16) & (65535)::bigint))::integer) stored, -- The next 16 bits of the hash.
  band_3 integer not null generated always as (((hash & (65535)::bigint))::integer) stored, -- The last 16 bits of the hash.
  constraint picture_hashes_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES media_items(id) ON DELETE CASCADE,
  constraint picture_hashes_pkey PRIMARY KEY (media_item_id),
  constraint picture_hashes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
) with (fillfactor=85);

-- Truth: where some of a user's items were taken, in words. Two items belong to one place when all of these words are the same; the row stays when none is left, so that what was chosen for it, and its address, outlive a library that is sorted again.
create table places (
  id uuid not null, -- The collection that it is.
  user_id uuid not null, -- The user in whose library the place is.
  country_code text not null, -- The country by ISO 3166-1.
  country text not null, -- The country's English name.
  state text, -- The state or province.
  city text, -- The large city that the town is, or lies in.
  town text, -- The English name of the town or village.
  name text not null generated always as (COALESCE(town, city, state, country)) stored, -- What a person would call it.
  created_at timestamp with time zone not null default now(), -- When the first item from there came.
  updated_at timestamp with time zone not null default now(), -- When it was last changed.
  sort_name text collate "C" not null generated always as (sort_key_of(COALESCE(town, city, state, country))) stored, -- The key that places are sorted by, see [Note: Names in order].
  synonyms text not null default ''::text, -- Other words by which search finds it, with spaces between: what it is called in German.
  constraint places_city_check CHECK ((city <> ''::text)),
  constraint places_country_code_check CHECK ((country_code ~ '^[A-Z]{2}$'::text)),
  constraint places_id_fkey FOREIGN KEY (id) REFERENCES collections(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint places_pkey PRIMARY KEY (id),
  constraint places_state_check CHECK ((state <> ''::text)),
  constraint places_town_check CHECK ((town <> ''::text)),
  constraint places_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Truth: an account that was removed on purpose; what is still found of it later need not be kept for anybody.
create table removed_users (
  user_id uuid not null, -- The id that the account had.
  removed_at timestamp with time zone not null default now(), -- When it was removed.
  constraint removed_users_pkey PRIMARY KEY (user_id)
);

-- Machine: one row on the scrub, which reads every stored original once in a period. No row: no pass has begun.
create table scrub_state (
  is_only boolean not null default true, -- Always true, so that there is one row at most.
  pass_started_at timestamp with time zone not null, -- When the last pass began. It checks the originals of all items that were uploaded earlier and not checked since.
  pass_ended_at timestamp with time zone, -- When that pass ended; null while it runs.
  completed_at timestamp with time zone, -- When a pass last ended; null until the first one has.
  repaired_renditions bigint not null default 0, -- Damaged or missing renditions that were made due again, since the first pass.
  stopped_at timestamp with time zone, -- Since when the scrub is stopped because the store is unavailable or most originals are missing; null otherwise.
  stopped_reason text, -- Why it is stopped.
  constraint scrub_state_is_only_check CHECK (is_only),
  constraint scrub_state_pkey PRIMARY KEY (is_only)
);

-- Derived: an item in which a word stands, a visible one only. Kept by triggers, never by hand.
create table search_postings (
  word_id bigint not null, -- The word that stands in the item.
  local_time timestamp without time zone not null, -- The local time of the item, by which postings are sorted.
  media_item_id uuid not null, -- The item in which the word stands.
  constraint search_postings_pkey PRIMARY KEY (word_id, local_time, media_item_id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);

-- Derived: a word of a user's items, or of the name of a collection. Two transactions that meet a new word at once may each make a row of it: no unique index forbids that, since one writer would then wait for the other, and readers take all rows of a word.
create table search_words (
  id bigint not null generated always as identity, -- Names the word in search_postings.
  user_id uuid not null, -- The user in whose library the word stands.
  word text collate "C" not null, -- The word in lower case and without accents, see fold_search_text.
  field text collate "C" not null, -- Where the word stands: filename, description, camera, place, or text in the picture; or the name of an album, a thing (object), a person (individual) that is not hidden, or a place (location), which is for suggestions alone.
  collection_id uuid, -- The collection whose name the word is part of.
  edits bigint[] not null, -- Hashes of the word without some of its letters, see find_search_edits.
  constraint search_words_check CHECK (((field = ANY (ARRAY['a'::text, 'o'::text, 'i'::text, 'l'::text])) = (collection_id IS NOT NULL))),
  constraint search_words_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE,
  constraint search_words_field_check CHECK ((field = ANY (ARRAY['f'::text, 'd'::text, 'c'::text, 'p'::text, 't'::text, 'a'::text, 'o'::text, 'i'::text, 'l'::text]))),
  constraint search_words_pkey PRIMARY KEY (id),
  constraint search_words_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Machine: a device on which somebody has signed in. The columns of tokens are explained in [Note: Refresh tokens].
create table sessions (
  id uuid not null, -- Named by access tokens, so that to end the session refuses them at once on every replica.
  user_id uuid not null, -- The user who has signed in.
  family_hash bytea not null, -- The hash of the secret that all refresh tokens of the session begin with.
  refresh_token_hash bytea not null, -- The hash of the refresh token that is good now.
  previous_token_hash bytea, -- The hash of the refresh token before that one, which is taken for a few seconds more.
  successor_salt bytea, -- What the present refresh token was made of together with the previous one, so that both of two requests at once are given the same.
  refreshed_at timestamp with time zone, -- When the present refresh token was made; null until the first refresh.
  device text, -- What the client called itself at the sign-in and then at the last refresh.
  network text, -- The network that the client was last seen in.
  created_at timestamp with time zone not null default now(), -- When somebody signed in.
  expires_at timestamp with time zone not null, -- When the session ends unless it is refreshed.
  constraint sessions_family_hash_key UNIQUE (family_hash),
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Truth: something that is seen on items of a user.
create table things (
  id uuid not null, -- The collection that it is.
  user_id uuid not null, -- The user in whose library the thing is.
  name text not null, -- What it is: an everyday English noun.
  synonyms text not null default ''::text, -- Other words by which search finds it, with spaces between.
  created_at timestamp with time zone not null default now(), -- When it was first seen.
  updated_at timestamp with time zone not null default now(), -- When it was last changed.
  sort_name text collate "C" not null generated always as (sort_key_of(name)) stored, -- The key that things are sorted by, see [Note: Names in order].
  constraint things_id_fkey FOREIGN KEY (id) REFERENCES collections(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint things_name_check CHECK ((name <> ''::text)),
  constraint things_pkey PRIMARY KEY (id),
  constraint things_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint things_user_id_name_key UNIQUE (user_id, name)
);

-- Derived: photos whose group may be another one since a photo before them has changed groups, and that were too many to be settled with it. Empty nearly always.
create table unsettled_pictures (
  media_item_id uuid not null, -- The photo that is to be settled.
  user_id uuid not null, -- The owner of the photo, which never changes.
  constraint unsettled_pictures_media_item_id_fkey FOREIGN KEY (media_item_id) REFERENCES picture_hashes(media_item_id) ON DELETE CASCADE,
  constraint unsettled_pictures_pkey PRIMARY KEY (media_item_id)
);

-- Machine: a part of an upload that is stored and counts as received; gone once the upload is finished.
create table upload_parts (
  upload_id uuid not null, -- The upload that the part belongs to.
  number integer not null, -- The place of the part among those of its upload, from 1.
  tag text not null, -- What the store has answered, which finishes the object.
  constraint upload_parts_pkey PRIMARY KEY (upload_id, number),
  constraint upload_parts_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES uploads(id) ON DELETE CASCADE
);

-- Machine: a resumable upload (tus), a file that comes in over several requests, days, processes and replicas. What is received lies in two places: whole parts in the unfinished object of the original, and what came behind them in an object of its own, the tail. The row stays until it expires, to tell a client whose answer was lost what became of the file.
create table uploads (
  id uuid not null, -- Where the file is stored in parts; also the id of the media item that it becomes.
  user_id uuid not null, -- The user who uploads it, and whose item it becomes.
  metadata text not null, -- Upload-Metadata, as the client sent it.
  length_bytes bigint not null, -- The size of the whole file.
  received_bytes bigint not null default 0, -- How much of it is received and kept.
  part_bytes bigint not null, -- The size of every part but the last one.
  write_id text, -- Names the unfinished object, once there is one.
  hash_state bytea, -- The state of SHA-256 after all parts so far, with which any process can go on.
  tail_key text, -- The object of the tail, where there is one.
  mime_type text, -- The format that the first bytes have told.
  type text, -- Whether that is a photo or a video.
  checksum bytea, -- SHA-256 of the whole file, once all parts are stored.
  media_item_id uuid, -- What it has become; without a foreign key, since the item may be removed.
  claim_id uuid, -- The request that is at work on it, which ends when its claim has passed to another one.
  claimed_until timestamp with time zone, -- Until when that claim holds unless it is renewed.
  is_asked_for boolean not null default false, -- Whether another request wants to work on it, and takes it once it is given back or the claim is over.
  created_at timestamp with time zone not null default now(), -- When the upload was begun.
  expires_at timestamp with time zone not null, -- When the row is removed.
  constraint uploads_checksum_check CHECK ((length(checksum) = 32)),
  constraint uploads_pkey PRIMARY KEY (id),
  constraint uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- Derived: how much the originals of an account take, also of items that are hidden, in the trash or being removed: as long as there is a row, there may be an object. Apart from the account's own row, which every request reads. Uploads to an account with a quota lock its row here, so that nobody is given bytes that another one has taken a moment ago.
create table user_storage (
  user_id uuid not null, -- The account whose originals are summed.
  used_bytes bigint not null, -- The sum of the sizes of these originals, but for what user_storage_deltas has.
  constraint user_storage_pkey PRIMARY KEY (user_id),
  constraint user_storage_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.05);

-- Derived: what has changed since, so that uploads to an account without a quota do not wait for one another; the housekeeper rolls it up into user_storage, see [Note: Quotas].
create table user_storage_deltas (
  id bigint not null generated always as identity, -- The order in which rows came.
  user_id uuid not null, -- The account whose originals have come or gone.
  bytes bigint not null, -- How many bytes have come, or with a minus, have gone.
  constraint user_storage_deltas_pkey PRIMARY KEY (id)
);

-- Truth: an account, which has one library.
create table users (
  id uuid not null, -- Names the account, also in the keys of its objects.
  name text not null, -- What the account is called in sight of others.
  username text not null, -- What is typed to sign in.
  username_key text not null, -- What the user name looks like, by which it is unique (db/accounts/usernameKey.ts).
  password_hash text not null, -- The hash of the password, with the parameters that it was made by.
  features jsonb not null default '{}'::jsonb, -- What of the library is switched on or off; a feature that is not named is on.
  link_epoch integer not null default floor((random() * (2147483647)::double precision)), -- Named by all signed file links of the account; a new value ends those links.
  quota_bytes bigint, -- How much of the store the account may take; null for as much as there is.
  removing_at timestamp with time zone, -- Since when the account is being removed: its sessions are gone, its objects and rows follow.
  created_at timestamp with time zone not null default now(), -- When the account was made.
  updated_at timestamp with time zone not null default now(), -- When the account was last changed.
  sort_name text collate "C" not null generated always as (sort_key_of(name)) stored, -- The key that accounts are sorted by, see [Note: Names in order].
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
