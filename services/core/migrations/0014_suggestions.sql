-- What a search box suggests: names of collections by their words, and cameras.

-- Words of a place's own name lead to the place, too. By them nothing is found but the name: items are found by the
-- words of all that their place is called, its country too, which are theirs.
alter table search_words drop constraint search_words_field_check;
alter table search_words drop constraint search_words_check;
alter table search_words add constraint search_words_field_check
  check (field in ('f', 'd', 'c', 'p', 't', 'a', 'o', 'i', 'l'));
alter table search_words add constraint search_words_check check ((field in ('a', 'o', 'i', 'l')) = (collection_id is not null));
comment on column search_words.field is
  'Where the word stands: filename, description, camera, place, or text in the picture; or the name of an album, a thing (object), a person '
  '(individual) that is not hidden, or a place (location), which is for suggestions alone.';

insert into search_words (user_id, field, word, collection_id, edits)
select distinct user_id, 'l', word, id, '{}'::bigint[] from places cross join lateral unnest(find_search_words(name)) as word;

create trigger places_words after insert on places for each row execute function write_collection_words('l');

-- Of names alone: as much as an index of all words has, most of which are no names, is too much for each key pressed.
create index search_words_names on search_words (user_id, word) include (collection_id, field) where collection_id is not null;

-- Distinct cameras are read one by one, each with a look behind the one before, and what they have counted.
create function camera_key(make text, model text) returns text language sql immutable parallel safe return
  left(coalesce(make, '') || ' ' || coalesce(model, ''), 255);

create index media_items_cameras on media_items (user_id, camera_key(camera_make, camera_model) collate "C")
  where visibility = 'visible' and (camera_make is not null or camera_model is not null);
