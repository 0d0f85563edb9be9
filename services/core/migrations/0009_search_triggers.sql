-- Triggers that keep the search index up to date.

-- Updates the postings if only time or visibility changed; the words stay the same.
create function move_search_postings() returns trigger language plpgsql as $$
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
end $$;

create function write_search_words_of_inserted() returns trigger language plpgsql as $$
begin
  perform write_search_words((select array_agg(id) from new_rows));
  return null;
end $$;

-- For changes of an item, its place, or the text in its picture. The argument is the name of the column with the item's
-- id.
create function write_search_words_of_item() returns trigger language plpgsql as $$
begin
  perform write_search_words(array[(to_jsonb(coalesce(new, old)) ->> tg_argv[0])::uuid]);
  return null;
end $$;

create function delete_search_postings() returns trigger language plpgsql as $$
begin
  delete from search_postings as posting
  using old_rows as gone cross join lateral unnest(gone.word_ids) as gone_id
  where gone.is_listed and posting.word_id = gone_id and posting.local_time = gone.local_time
    and posting.media_item_id = gone.media_item_id;
  return null;
end $$;

-- Indexes the name of a collection, and the synonyms of a thing. The argument is the field of the words. Hidden names
-- are not indexed, so that readers need no check.
create function write_collection_words() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then delete from search_words where collection_id = new.id; end if;
  insert into search_words (user_id, field, word, collection_id, edits)
  select distinct new.user_id, tg_argv[0], word, new.id, find_search_edits(new.user_id, word)
  from unnest(find_search_words(concat_ws(' ', new.name, to_jsonb(new) ->> 'synonyms'))) as word
  where to_jsonb(new) -> 'is_hidden' is distinct from 'true';
  return null;
end $$;

create trigger media_items_words_insert after insert on media_items
  referencing new table as new_rows for each statement execute function write_search_words_of_inserted();
-- Row-level triggers with WHEN conditions: most updates of an item do not affect search and must cost nothing.
create trigger media_items_words_update after update on media_items for each row
  when ((old.filename, old.description, old.camera_make, old.camera_model)
    is distinct from (new.filename, new.description, new.camera_make, new.camera_model))
  execute function write_search_words_of_item('id');
create trigger media_items_words_move after update on media_items for each row
  when ((old.filename, old.description, old.camera_make, old.camera_model)
      is not distinct from (new.filename, new.description, new.camera_make, new.camera_model)
    and (old.local_time, old.visibility) is distinct from (new.local_time, new.visibility))
  execute function move_search_postings();
create trigger media_item_places_words after insert or update or delete on media_item_places
  for each row when (not is_removing_account()) execute function write_search_words_of_item('media_item_id');
create trigger media_item_texts_words after insert or update or delete on media_item_texts
  for each row when (not is_removing_account()) execute function write_search_words_of_item('media_item_id');
create trigger media_item_words_delete after delete on media_item_words
  referencing old table as old_rows for each statement execute function delete_search_postings();

create trigger albums_words after insert on albums for each row execute function write_collection_words('a');
create trigger albums_words_changed after update on albums
  for each row when ((old.name, old.is_hidden) is distinct from (new.name, new.is_hidden)) execute function write_collection_words('a');
create trigger things_words after insert on things for each row execute function write_collection_words('o');
create trigger things_words_changed after update on things
  for each row when ((old.name, old.synonyms) is distinct from (new.name, new.synonyms)) execute function write_collection_words('o');
create trigger people_words after insert on people for each row execute function write_collection_words('i');
create trigger people_words_changed after update on people
  for each row when ((old.name, old.is_hidden) is distinct from (new.name, new.is_hidden)) execute function write_collection_words('i');
