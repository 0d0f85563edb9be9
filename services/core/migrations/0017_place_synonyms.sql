-- Alternative names of places, for search.

alter table places add column synonyms text not null default '';
comment on column places.synonyms is 'Additional search terms, separated by spaces: the German names.';

-- Same as before, plus the synonyms of the place.
create or replace function write_search_words(ids uuid[]) returns void language plpgsql
-- PostgreSQL keeps a plan made while a table was empty, which would be a sequential scan.
set enable_seqscan = off as $$
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
end $$;
